import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { freePort, start, stop } from "../processes.ts";
import { body } from "../raw.ts";
import { printed, whenReady, type Peer } from "./peer.ts";

const durable = "`fsync` and `synchronous_commit` on: synced before the answer.";
const needs = [
  { program: "initdb", package: "postgresql" },
  { program: "pgbench", package: "postgresql" },
];

/** PostgreSQL, one bare row for each request. */
export const bareInsert: Peer = {
  name: "PostgreSQL, bare INSERT",
  promise: `A prepared INSERT of one row of 200 characters; ${durable} No digest, no rules.`,
  needs,
  start: (folder) =>
    startPostgres(
      folder,
      "CREATE TABLE message (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), body text NOT NULL);",
      `INSERT INTO message (body) VALUES ('${quoted(body)}');`,
    ),
};

/** PostgreSQL with what `raw.ts` does for a post, in a function. */
export const sixRows: Peer = {
  name: "PostgreSQL, function of six rows",
  promise: `A function with one select, six writes and a SHA-256 chain, as the raw program; ${durable} No rules.`,
  needs,
  start: (folder) => startPostgres(folder, schema, `SELECT post('${quoted(body)}');`),
};

const quoted = (text: string) => text.replaceAll("'", "''");

const schema = `
CREATE TABLE board (id text PRIMARY KEY, name text NOT NULL UNIQUE, lifecycle text NOT NULL,
  head_seq bigint NOT NULL, head_hash text NOT NULL);
CREATE TABLE member (id text PRIMARY KEY, board_id text NOT NULL REFERENCES board, name text NOT NULL,
  kind text NOT NULL, role text, owner text, posts bigint NOT NULL, UNIQUE (board_id, name));
CREATE TABLE credential (digest text PRIMARY KEY, member_id text NOT NULL REFERENCES member, used_at timestamptz);
CREATE TABLE event (id text PRIMARY KEY, board_id text NOT NULL REFERENCES board, seq bigint NOT NULL,
  type text NOT NULL, at timestamptz NOT NULL, actor text NOT NULL, data text NOT NULL, hash text NOT NULL,
  UNIQUE (board_id, seq));
CREATE TABLE message (id text PRIMARY KEY, board_id text NOT NULL REFERENCES board, seq bigint NOT NULL,
  sender_id text NOT NULL REFERENCES member, addressees text NOT NULL, body text NOT NULL, at timestamptz NOT NULL,
  UNIQUE (board_id, seq));
CREATE TABLE recipient (message_id text NOT NULL REFERENCES message, member_id text NOT NULL REFERENCES member,
  PRIMARY KEY (message_id, member_id));
INSERT INTO board VALUES ('brd_1', 'general', 'active', 0, '');
INSERT INTO member VALUES ('mem_1', 'brd_1', 'writer', 'human', NULL, NULL, 0),
  ('mem_2', 'brd_1', 'reader', 'agent', 'member', 'writer', 0);
INSERT INTO credential VALUES ('digest', 'mem_1', NULL);
CREATE FUNCTION post(words text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  sender record; number bigint; name text; who text; facts text; digest_of text; moment timestamptz := clock_timestamp();
BEGIN
  SELECT board.id AS board_id, head_seq, head_hash, member.id AS member_id, member.name, owner INTO sender
    FROM credential JOIN member ON member.id = member_id JOIN board ON board.id = board_id
    WHERE digest = 'digest' AND lifecycle = 'active' FOR UPDATE OF board;
  number := sender.head_seq + 1;
  name := lpad(number::text, 26, '0');
  who := json_build_object('kind', 'human', 'member_id', sender.member_id, 'name', sender.name, 'owner', sender.owner)::text;
  facts := json_build_object('message_id', 'msg_' || name, 'to', json_build_array('@reader'), 'body', words, 'reply_to', NULL)::text;
  digest_of := encode(sha256(convert_to(concat_ws(E'\\n', sender.head_hash, sender.board_id, number, moment, who, facts), 'UTF8')), 'hex');
  INSERT INTO event VALUES ('evt_' || name, sender.board_id, number, 'message.posted', moment, who, facts, digest_of);
  INSERT INTO message VALUES ('msg_' || name, sender.board_id, number, sender.member_id, '["@reader"]', words, moment);
  INSERT INTO recipient VALUES ('msg_' || name, 'mem_2');
  UPDATE board SET head_seq = number, head_hash = digest_of WHERE id = sender.board_id;
  UPDATE member SET posts = posts + 1 WHERE id = sender.member_id;
  UPDATE credential SET used_at = moment WHERE digest = 'digest';
  RETURN number;
END $$;
`;

/** It refuses to run as root, so root runs it as its own user, beside the folders that only root can enter. */
async function startPostgres(folder: string, tables: string, statement: string) {
  const isRoot = process.getuid?.() === 0;
  const asUser = isRoot
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    : [];
  const home = mkdtempSync(join(dirname(dirname(folder)), "service-bench-postgres-"));
  const data = join(home, "data");
  mkdirSync(data);
  const { uid, gid } = isRoot ? await userOf("postgres") : statSync(home);
  for (const path of [home, data]) chownSync(path, uid, gid);
  const port = String(freePort());
  await printed([...asUser, program("initdb"), "-D", data, "-U", "bench", "-A", "trust"]);
  const child = start(
    [
      ...asUser,
      program("postgres"),
      "-D",
      data,
      "-p",
      port,
      "-k",
      home,
      "-c",
      "listen_addresses=",
      "-c",
      "fsync=on",
      "-c",
      "synchronous_commit=on",
      "-c",
      "max_connections=100",
    ],
    { log: `${folder}.log` },
  );
  const where = { PGHOST: home, PGPORT: port, PGUSER: "bench", PGDATABASE: "postgres" };
  await whenReady(() => printed([program("psql"), "-qc", "SELECT 1"], where));
  await printed([program("psql"), "-qc", tables], where);
  const script = join(home, "request.sql");
  writeFileSync(script, statement);
  return {
    async rate(connections: number, seconds: number) {
      const output = await printed(
        [
          program("pgbench"),
          "-n",
          "-M",
          "prepared",
          "-f",
          script,
          "-j",
          "1",
          "-c",
          String(connections),
          "-T",
          String(seconds),
        ],
        where,
      );
      const rate = Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
      if (!(rate > 0)) throw new Error(`pgbench printed no rate: ${output}`);
      return rate;
    },
    async stop() {
      await stop(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function userOf(name: string): Promise<{ uid: number; gid: number }> {
  const number = async (flag: string) => Number(await printed(["id", flag, name]));
  return { uid: await number("-u"), gid: await number("-g") };
}

/** A program of PostgreSQL, which Debian keeps off the path. Null if it is not there. */
export function findProgram(name: string): string | null {
  const versions = "/usr/lib/postgresql";
  const places = existsSync(versions) ? readdirSync(versions).sort().reverse() : [];
  const paths = places.map((version) => join(versions, version, "bin", name));
  return Bun.which(name) ?? paths.find((path) => existsSync(path)) ?? null;
}

const program = (name: string): string => findProgram(name)!;
