import { Database } from "bun:sqlite";
import { argumentsOf, reportJson } from "./child.ts";
import { measureBatches, repeat } from "./repeat.ts";

/**
 * The fixed denominator: a straightforward schema of the same subject, written without HTTP, rules or answers. It is
 * never tuned, so that a ratio to it compares with the ratio of another day.
 */
const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 1000;
PRAGMA foreign_keys = ON;
CREATE TABLE board (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, lifecycle TEXT NOT NULL,
  head_seq INTEGER NOT NULL, head_hash TEXT NOT NULL) STRICT;
CREATE TABLE member (id TEXT PRIMARY KEY, board_id TEXT NOT NULL REFERENCES board, name TEXT NOT NULL,
  kind TEXT NOT NULL, role TEXT, owner TEXT, posts INTEGER NOT NULL, UNIQUE (board_id, name)) STRICT;
CREATE TABLE credential (digest TEXT PRIMARY KEY, member_id TEXT NOT NULL REFERENCES member, used_at TEXT) STRICT;
CREATE TABLE event (id TEXT PRIMARY KEY, board_id TEXT NOT NULL REFERENCES board, seq INTEGER NOT NULL,
  type TEXT NOT NULL, at TEXT NOT NULL, actor TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL,
  UNIQUE (board_id, seq)) STRICT;
CREATE TABLE message (id TEXT PRIMARY KEY, board_id TEXT NOT NULL REFERENCES board, seq INTEGER NOT NULL,
  sender_id TEXT NOT NULL REFERENCES member, addressees TEXT NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL,
  UNIQUE (board_id, seq)) STRICT;
CREATE TABLE recipient (message_id TEXT NOT NULL REFERENCES message, member_id TEXT NOT NULL REFERENCES member,
  PRIMARY KEY (message_id, member_id)) STRICT;
INSERT INTO board VALUES ('brd_1', 'general', 'active', 0, '');
INSERT INTO member VALUES ('mem_1', 'brd_1', 'writer', 'human', NULL, NULL, 0);
INSERT INTO member VALUES ('mem_2', 'brd_1', 'reader', 'agent', 'member', 'writer', 0);
INSERT INTO credential VALUES ('digest', 'mem_1', NULL);
`;

/** What every post of the benchmark says: 200 characters of prose. */
export const body =
  "The build is green again after the change to the parser. I moved the tokenizer's table into its own file and " +
  "measured: 12 ms before, 9 ms after, on the same input. Please look at the edge cases.";

interface Sender {
  board_id: string;
  head_seq: number;
  head_hash: string;
  member_id: string;
  name: string;
  owner: string | null;
}

/**
 * Opens the fixed schema in a new file. SQLite 3.54 plans a join anew whenever a bare `= ?` of it is bound, which is
 * part of what a straightforward program pays; with `plannedOnce` the select is spelt so that it does not.
 */
export function openRaw(path: string, plannedOnce = false) {
  const sql = new Database(path, { create: true, strict: true });
  sql.run(schema);
  const sender = sql.query<Sender, [string]>(
    `SELECT board.id AS board_id, head_seq, head_hash, member.id AS member_id, member.name AS name, owner
     FROM credential JOIN member ON member.id = member_id JOIN board ON board.id = board_id
     WHERE digest = ${plannedOnce ? "+?" : "?"} AND lifecycle = 'active'`,
  );
  const addEvent = sql.query("INSERT INTO event VALUES (?, ?, ?, 'message.posted', ?, ?, ?, ?)");
  const addMessage = sql.query("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?)");
  const addRecipient = sql.query("INSERT INTO recipient VALUES (?, ?)");
  const moveHead = sql.query("UPDATE board SET head_seq = ?, head_hash = ? WHERE id = ?");
  const countPost = sql.query("UPDATE member SET posts = posts + 1 WHERE id = ?");
  const noteUse = sql.query("UPDATE credential SET used_at = ? WHERE digest = ?");

  /** One post: one select, six writes, a SHA-256 over the hash before it and its own text. */
  function post(): void {
    const at = new Date().toISOString();
    const { board_id, head_seq, head_hash, member_id, name, owner } = sender.get("digest")!;
    const seq = head_seq + 1;
    const id = String(seq).padStart(26, "0");
    const actor = JSON.stringify({ kind: "human", member_id, name, owner });
    const data = JSON.stringify({ message_id: `msg_${id}`, to: ["@reader"], body, reply_to: null });
    const text = `${head_hash}\n${board_id}\n${seq}\n${at}\n${actor}\n${data}`;
    const hash = Bun.CryptoHasher.hash("sha256", text, "hex");
    addEvent.run(`evt_${id}`, board_id, seq, at, actor, data, hash);
    addMessage.run(`msg_${id}`, board_id, seq, member_id, '["@reader"]', body, at);
    addRecipient.run(`msg_${id}`, "mem_2");
    moveHead.run(seq, hash, board_id);
    countPost.run(member_id);
    noteUse.run(at, "digest");
  }

  return { sql, post };
}

interface PageRow {
  id: string;
  seq: number;
  at: string;
  addressees: string;
  body: string;
  name: string;
  kind: string;
  role: string | null;
  owner: string | null;
}

/** Pages a second: the newest 50 messages of a board of 1,000, joined to their senders, as JSON text. Nothing serves them. */
export async function measurePages(path: string, seconds: number): Promise<{ rate: number }> {
  const { sql, post } = openRaw(path);
  sql.transaction(() => {
    for (let i = 0; i < 1000; i++) post();
  })();
  const newest = sql.query<PageRow, [string]>(
    `SELECT message.id, seq, at, addressees, body, name, kind, role, owner
     FROM message JOIN member ON member.id = sender_id
     WHERE message.board_id = ? ORDER BY seq DESC LIMIT 50`,
  );
  let bytes = 0;
  const page = () => (bytes += JSON.stringify(pageOf(newest.all("brd_1").reverse())).length);
  await repeat(page, 0.5);
  const { durations, elapsed } = await repeat(page, seconds);
  sql.close();
  if (bytes === 0) throw new Error("The pages were empty");
  return { rate: (durations.length * 1000) / elapsed };
}

function pageOf(rows: PageRow[]) {
  const messages = rows.map(({ id, seq, at, addressees, body, ...from }) => ({
    id,
    board: "general",
    seq,
    at,
    from,
    to: JSON.parse(addressees) as string[],
    body,
    reply_to: null,
    urgent: false,
    expects_reply: false,
  }));
  return { board: "general", messages, next_after: null, prev_before: messages[0]?.seq ?? null };
}

/** Posts in batches, each with one commit. */
async function measurePosts(path: string, seconds: number, batch: number, plannedOnce: boolean) {
  const { sql, post } = openRaw(path, plannedOnce);
  const commitBatch = sql.transaction(() => {
    for (let i = 0; i < batch; i++) post();
  });
  const measured = await measureBatches(() => commitBatch.immediate(), batch, seconds);
  sql.close();
  return measured;
}

if (import.meta.main) {
  const usage = "posts|pages PATH SECONDS [BATCH [planned-once]]";
  const [what, path = "", seconds, batch, once] = argumentsOf(usage, 3);
  reportJson(
    what === "pages"
      ? await measurePages(path, Number(seconds))
      : await measurePosts(path, Number(seconds), Number(batch), once === "planned-once"),
  );
}
