import type { ReadTx, Tx } from "./database.ts";
import { lastPlaceOf, placeOf } from "./places.ts";

/** A message with what its record shows of the message it answers and of its thread. */
export interface MessageRow {
  place: number;
  sender_row: number;
  at: string;
  /** Canonical JSON of the `message.posted` event: where id, text and addressees live. */
  data: string;
  reply_to: number | null;
  reply_to_from: string | null;
  root: number | null;
  root_id: string | null;
  reply_count: number;
  last_reply_at: string | null;
}

/** For whom messages are read: a member, and whether the board's policy lets them read every message. */
export interface Reader {
  readonly memberRow: number;
  readonly role: string | null;
  readonly readsAll: boolean;
}

// Every statement over messages takes the reader's member row as ?1 and role as ?2, so that the one rule of who may
// read a message is one text.
const reached =
  "(m.to_all = 1 OR EXISTS (SELECT 1 FROM recipient r WHERE r.member_row = ?1 AND r.place = m.place AND r.addressed = 1)" +
  " OR EXISTS (SELECT 1 FROM role_target t WHERE t.place = m.place AND t.role = ?2))";
const readable = `(m.sender_row = ?1 OR ${reached})`;
const readableBy = (reader: Reader) => (reader.readsAll ? "" : ` AND ${readable}`);

/** What a thread's first message tells of its replies: kept with it for who reads all, counted for others. */
const threadColumns = (reader: Reader) =>
  reader.readsAll
    ? "m.reply_count, CASE WHEN m.last_reply IS NULL THEN NULL ELSE (SELECT at FROM event WHERE place = m.last_reply) END AS last_reply_at"
    : `(SELECT count(*) FROM message n WHERE n.root = m.place AND ${readable.replaceAll("m.", "n.")}) AS reply_count, ` +
      `(SELECT at FROM event WHERE place = (SELECT max(n.place) FROM message n WHERE n.root = m.place AND ${readable.replaceAll("m.", "n.")})) AS last_reply_at`;

// What only replies have is looked up for them alone.
const columns = (reader: Reader) =>
  "m.place, m.sender_row, e.at, e.data, m.reply_to, " +
  "CASE WHEN m.reply_to IS NULL THEN NULL ELSE (SELECT name FROM member WHERE row = (SELECT sender_row FROM message WHERE place = m.reply_to)) END AS reply_to_from, " +
  "m.root, CASE WHEN m.root IS NULL THEN NULL ELSE (SELECT id FROM message WHERE place = m.root) END AS root_id, " +
  threadColumns(reader);
const joins = "JOIN event e ON e.place = m.place";

/** What a page of messages is chosen by. Seqs are exclusive bounds. */
export interface MessageFilter {
  readonly after: number;
  readonly before: number | null;
  readonly newest: boolean;
  readonly senderRow: number | null;
  readonly senderRole: string | null;
  readonly toReader: boolean;
  readonly limit: number;
}

/** One page of a board's messages in the order asked for: from the newest if `newest`, else from the oldest. */
export function messagesOf(
  tx: ReadTx,
  boardRow: number,
  reader: Reader,
  filter: MessageFilter,
): MessageRow[] {
  const where =
    "m.place > ?3 AND m.place < ?4" +
    readableBy(reader) +
    (filter.senderRow === null ? "" : " AND m.sender_row = ?6") +
    (filter.senderRole === null
      ? ""
      : " AND EXISTS (SELECT 1 FROM member s WHERE s.row = m.sender_row AND s.role = ?7)") +
    (filter.toReader ? ` AND m.sender_row <> ?1 AND ${reached}` : "");
  return tx.all<MessageRow>(
    `SELECT ${columns(reader)} FROM message m ${joins} WHERE ${where} ORDER BY m.place ${filter.newest ? "DESC" : "ASC"} LIMIT ?5`,
    reader.memberRow,
    reader.role,
    placeOf(boardRow, filter.after),
    filter.before === null ? lastPlaceOf(boardRow) + 1 : placeOf(boardRow, filter.before),
    filter.limit,
    ...(filter.senderRow === null && filter.senderRole === null ? [] : [filter.senderRow]),
    ...(filter.senderRole === null ? [] : [filter.senderRole]),
  );
}

/** The message at a place, if the reader may read it. */
export const messageAt = (tx: ReadTx, place: number, reader: Reader) =>
  tx.get<MessageRow>(
    `SELECT ${columns(reader)} FROM message m ${joins} WHERE m.place = ?3${readableBy(reader)}`,
    reader.memberRow,
    reader.role,
    place,
  );
export const placeOfMessage = (tx: ReadTx, id: string) =>
  tx.get<{ place: number }>("SELECT place FROM message WHERE id = ?", id)?.place ?? null;

/** The place of the thread's first message: the message itself when it replies to nothing. */
export const rootOf = (tx: ReadTx, place: number) =>
  tx.get<{ root: number }>(
    "SELECT coalesce(root, place) AS root FROM message WHERE place = ?",
    place,
  )!.root;

/** Replies of a thread after a place, oldest first. */
export const repliesOf = (
  tx: ReadTx,
  root: number,
  reader: Reader,
  afterPlace: number,
  limit: number,
) =>
  tx.all<MessageRow>(
    `SELECT ${columns(reader)} FROM message m ${joins} WHERE m.root = ?3 AND m.place > ?4${readableBy(reader)} ORDER BY m.place LIMIT ?5`,
    reader.memberRow,
    reader.role,
    root,
    afterPlace,
    limit,
  );

/** Places of the first messages of threads whose root and some reply the reader may read, newest reply first. */
export const threadsOf = (tx: ReadTx, boardRow: number, reader: Reader, limit: number) =>
  tx
    .all<{ place: number }>(
      reader.readsAll
        ? "SELECT place, last_reply FROM message WHERE last_reply > ?3 AND last_reply <= ?4 ORDER BY last_reply DESC LIMIT ?5"
        : `SELECT root AS place, max(m.place) AS last_reply FROM message m WHERE root > ?3 AND root <= ?4 AND ${readable} ` +
            `AND EXISTS (SELECT 1 FROM message n WHERE n.place = m.root AND ${readable.replaceAll("m.", "n.")}) ` +
            "GROUP BY root ORDER BY last_reply DESC LIMIT ?5",
      reader.memberRow,
      reader.role,
      placeOf(boardRow, 0),
      lastPlaceOf(boardRow),
      limit,
    )
    .map(({ place }) => place);

/** Names of the senders of a thread's readable messages, in order of their first. */
export const participantsOf = (tx: ReadTx, root: number, reader: Reader) =>
  tx
    .all<{ name: string }>(
      `SELECT s.name, min(m.place) AS first FROM message m JOIN member s ON s.row = m.sender_row WHERE (m.place = ?3 OR m.root = ?3)${readableBy(reader)} GROUP BY s.row ORDER BY first`,
      reader.memberRow,
      reader.role,
      root,
    )
    .map(({ name }) => name);

/** Sender and text of each readable message of a thread, oldest first. */
export const threadMessages = (tx: ReadTx, root: number, reader: Reader) =>
  tx.all<{ sender_row: number; data: string }>(
    `SELECT m.sender_row, e.data FROM message m JOIN event e ON e.place = m.place WHERE (m.place = ?3 OR m.root = ?3)${readableBy(reader)} ORDER BY m.place`,
    reader.memberRow,
    reader.role,
    root,
  );

/** Messages that reach an agent after a place, oldest first: those to all, and those it is a recipient of. */
export const inboxOf = (
  tx: ReadTx,
  boardRow: number,
  reader: Reader,
  afterPlace: number,
  limit: number,
) =>
  tx.all<MessageRow>(
    `SELECT ${columns(reader)} FROM (` +
      "SELECT * FROM (SELECT place FROM message WHERE to_all = 1 AND place > ?3 AND place <= ?4 AND sender_row <> ?1 ORDER BY place LIMIT ?5)" +
      " UNION ALL SELECT * FROM (SELECT place FROM recipient WHERE member_row = ?1 AND place > ?3 AND place <= ?4 ORDER BY place LIMIT ?5)" +
      `) inbox JOIN message m ON m.place = inbox.place ${joins} ORDER BY m.place LIMIT ?5`,
    reader.memberRow,
    reader.role,
    afterPlace,
    lastPlaceOf(boardRow),
    limit,
  );

/** How many messages reach an agent after a place. */
export const inboxCount = (tx: ReadTx, boardRow: number, memberRow: number, afterPlace: number) =>
  tx.get<{ count: number }>(
    "SELECT (SELECT count(*) FROM message WHERE to_all = 1 AND place > ?2 AND place <= ?3 AND sender_row <> ?1)" +
      " + (SELECT count(*) FROM recipient WHERE member_row = ?1 AND place > ?2 AND place <= ?3) AS count",
    memberRow,
    afterPlace,
    lastPlaceOf(boardRow),
  )?.count ?? 0;

/** The board's last message up to a seq: how many messages there are until then, and when it was posted. */
export const lastMessage = (tx: ReadTx, boardRow: number, upToSeq: number) =>
  tx.get<{ number: number; at: string }>(
    "SELECT m.number, e.at FROM message m JOIN event e ON e.place = m.place WHERE m.place > ? AND m.place <= ? ORDER BY m.place DESC LIMIT 1",
    placeOf(boardRow, 0),
    placeOf(boardRow, upToSeq),
  );

/** How many messages of others stand on a board after a seq. */
export function unreadAfter(tx: ReadTx, boardRow: number, memberRow: number, seq: number): number {
  const place = placeOf(boardRow, seq);
  return (
    tx.get<{ unread: number }>(
      "SELECT coalesce((SELECT number FROM message WHERE place > ?3 AND place <= ?4 ORDER BY place DESC LIMIT 1), 0)" +
        " - coalesce((SELECT number FROM message WHERE place > ?3 AND place <= ?2 ORDER BY place DESC LIMIT 1), 0)" +
        " - (SELECT count(*) FROM message WHERE sender_row = ?1 AND place > ?2 AND place <= ?4) AS unread",
      memberRow,
      place,
      placeOf(boardRow, 0),
      lastPlaceOf(boardRow),
    )?.unread ?? 0
  );
}

/** How many questions to a member wait for their reply. */
export const awaitedReplies = (tx: ReadTx, memberRow: number) =>
  tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM recipient WHERE member_row = ? AND awaits_reply = 1",
    memberRow,
  )?.count ?? 0;

export interface NewMessage {
  readonly place: number;
  readonly boardRow: number;
  readonly id: string;
  readonly senderRow: number;
  readonly toAll: boolean;
  readonly roles: readonly string[];
  readonly replyTo: number | null;
  readonly root: number | null;
}

/** Stores a message beside its event. */
export function insertMessage(tx: Tx, message: NewMessage): void {
  tx.run(
    "INSERT INTO message (place, id, sender_row, to_all, number, reply_to, root) VALUES (?1, ?2, ?3, ?4, " +
      "1 + coalesce((SELECT number FROM message WHERE place > ?7 AND place < ?1 ORDER BY place DESC LIMIT 1), 0), ?5, ?6)",
    message.place,
    message.id,
    message.senderRow,
    message.toAll ? 1 : 0,
    message.replyTo,
    message.root,
    placeOf(message.boardRow, 0),
  );
  for (const role of message.roles)
    tx.run("INSERT INTO role_target (place, role) VALUES (?, ?)", message.place, role);
  if (message.root === null || message.replyTo === null) return;
  tx.run(
    "UPDATE message SET reply_count = reply_count + 1, last_reply = ? WHERE place = ?",
    message.place,
    message.root,
  );
  tx.run(
    "UPDATE recipient SET awaits_reply = 0 WHERE member_row = ? AND place = ?",
    message.senderRow,
    message.replyTo,
  );
}

/** Notes that a message reaches a member by name: as a recorded recipient, or by a mention alone. */
export const insertRecipient = (
  tx: Tx,
  recipient: { memberRow: number; place: number; addressed: boolean; awaitsReply: boolean },
) =>
  tx.run(
    "INSERT INTO recipient (member_row, place, addressed, awaits_reply) VALUES (?, ?, ?, ?)",
    recipient.memberRow,
    recipient.place,
    recipient.addressed ? 1 : 0,
    recipient.awaitsReply ? 1 : 0,
  );

/** Ids of a member's direct replies to a message, oldest first. */
export const directReplies = (tx: ReadTx, place: number, senderRow: number) =>
  tx
    .all<{ id: string }>(
      "SELECT id FROM message WHERE reply_to = ? AND sender_row = ? ORDER BY place",
      place,
      senderRow,
    )
    .map(({ id }) => id);

export interface ReactionRow {
  place: number;
  name: string;
  member_row: number;
  member_name: string;
}

/** Reactions to the messages from one place to another, earliest first. */
export const reactionsBetween = (tx: ReadTx, first: number, last: number) =>
  tx.all<ReactionRow>(
    "SELECT reaction.place, reaction.name, member_row, member.name AS member_name FROM reaction JOIN member ON member.row = member_row WHERE place >= ? AND place <= ? ORDER BY seq",
    first,
    last,
  );
export const hasReacted = (tx: ReadTx, place: number, name: string, memberRow: number) =>
  tx.get(
    "SELECT 1 FROM reaction WHERE place = ? AND name = ? AND member_row = ?",
    place,
    name,
    memberRow,
  ) !== null;
export const insertReaction = (
  tx: Tx,
  place: number,
  name: string,
  memberRow: number,
  seq: number,
) =>
  tx.run(
    "INSERT INTO reaction (place, name, member_row, seq) VALUES (?, ?, ?, ?)",
    place,
    name,
    memberRow,
    seq,
  );
export const deleteReaction = (tx: Tx, place: number, name: string, memberRow: number) =>
  tx.run(
    "DELETE FROM reaction WHERE place = ? AND name = ? AND member_row = ?",
    place,
    name,
    memberRow,
  );
