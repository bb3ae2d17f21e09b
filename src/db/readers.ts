/** The member who reads messages, and whether the board's policy lets them read every message. */
export interface Reader {
  readonly memberRow: number;
  readonly role: string | null;
  readonly readsAll: boolean;
}

// Every statement over messages takes the reader's member row as ?1 and their role as ?2, so the rule of who may read a
// message is written once.
/** Condition: the message reaches the reader. It is to all, or names them or their role. */
export const reached =
  "(m.to_all = 1 OR EXISTS (SELECT 1 FROM recipient r WHERE r.member_row = ?1 AND r.place = m.place AND r.addressed = 1)" +
  " OR EXISTS (SELECT 1 FROM role_target t WHERE t.place = m.place AND t.role = ?2))";
/** Condition: the reader may read the message under any policy. */
export const readable = `(m.sender_row = ?1 OR ${reached})`;
/** Condition: the reader may read the message, for an alias other than m. */
export const readableAs = (name: string) => readable.replaceAll("m.", `${name}.`);

/** Condition: the place is after ?3 and before ?4. */
export const within = "place > ?3 AND place < ?4";
// A walk applies that rule starting from indexes. Each index has its places in order, so SQLite merges them and stops at the
// LIMIT. Messages between the places cost nothing.
const toReader =
  `SELECT place FROM message INDEXED BY message_to_all WHERE to_all = 1 AND ${within}` +
  ` UNION SELECT place FROM recipient WHERE member_row = ?1 AND addressed = 1 AND ${within}` +
  ` UNION SELECT place FROM role_target WHERE role = ?2 AND ${within}`;

/** The order of a walk: oldest or newest first. */
export type Direction = "ASC" | "DESC";
/** The places of at most ?6 messages that reach the reader, in order. */
export const reachedWalk = (direction: Direction) =>
  `${toReader} ORDER BY place ${direction} LIMIT ?6`;
/** The places of at most ?6 messages that the reader may read, in order. */
export const readableWalk = (direction: Direction) =>
  `SELECT place FROM message INDEXED BY message_of_sender WHERE sender_row = ?1 AND ${within}` +
  ` UNION ${reachedWalk(direction)}`;

/** The parts of a statement that depend on whether its reader reads all. */
export interface ReaderParts {
  /** The columns that a record needs. */
  readonly columns: string;
  /** The condition that excludes what the reader may not read. */
  readonly andReadable: string;
  readonly readsAll: boolean;
}

// The columns that only replies have are looked up for replies alone.
const ownColumns =
  "m.place, m.sender_row, m.reply_to, " +
  "CASE WHEN m.reply_to IS NULL THEN NULL ELSE (SELECT name FROM member WHERE row = (SELECT sender_row FROM message WHERE place = m.reply_to)) END AS reply_to_from, " +
  "m.root, CASE WHEN m.root IS NULL THEN NULL ELSE (SELECT id FROM message WHERE place = m.root) END AS root_id, ";
/** The joins that every query for message records needs. */
export const joins = "LEFT JOIN thread t ON t.root = m.place";

/** The thread columns of a first message: stored ones for readers who read all, counted ones for others. */
const threadKept =
  "coalesce(t.reply_count, 0) AS reply_count, CASE WHEN t.root IS NULL THEN NULL ELSE (SELECT at FROM event WHERE place = t.last_reply) END AS last_reply_at";
const readableReplies = `FROM reply JOIN message n ON n.place = reply.place WHERE reply.root = m.place AND ${readableAs("n")}`;
const threadCounted = `(SELECT count(*) ${readableReplies}) AS reply_count, (SELECT at FROM event WHERE place = (SELECT max(n.place) ${readableReplies})) AS last_reply_at`;

/** The columns of a record for readers who read all. They depend on nothing of the reader. */
export const columnsForAll = ownColumns + threadKept;
const partsForAll: ReaderParts = { columns: columnsForAll, andReadable: "", readsAll: true };
const partsForSome: ReaderParts = {
  columns: ownColumns + threadCounted,
  andReadable: ` AND ${readable}`,
  readsAll: false,
};

/** Builds a statement for both kinds of reader once, and returns a function that picks the one for a reader. */
export function forReaders(write: (parts: ReaderParts) => string): (reader: Reader) => string {
  const [all, some] = [write(partsForAll), write(partsForSome)];
  return ({ readsAll }) => (readsAll ? all : some);
}

/** Condition on messages that reach an agent by name: under a strict policy a mention alone does not let it read. */
export const andAddressed = ({ readsAll }: ReaderParts) => (readsAll ? "" : " AND addressed = 1");
