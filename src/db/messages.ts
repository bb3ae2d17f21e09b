import type { ReadTx } from "./engine/database.ts";
import type { Posted } from "./engine/log-caches.ts";
import { andAddressed, columnsForAll, forReaders, joins, type Reader } from "./readers.ts";
import { lastPlaceOf } from "./log/log-place.ts";

/** A message with what its record shows of the message it answers and of its thread. */
export interface MessageRow {
  place: number;
  sender_row: number;
  reply_to: number | null;
  reply_to_from: string | null;
  root: number | null;
  root_id: string | null;
  reply_count: number;
  last_reply_at: string | null;
}

/** The event of the message at a place. */
export function postedAt(tx: ReadTx, place: number): Posted {
  const known = tx.logCaches.posted.recall(place);
  if (known) return known;
  const { at, data } = tx.get<{ at: string; data: string }>(
    "SELECT at, data FROM event WHERE place = ?",
    place,
  )!;
  const posted: Posted = { at, data: JSON.parse(data) as Posted["data"] };
  tx.logCaches.posted.keep(place, posted, data.length);
  return posted;
}

const messageText = forReaders(
  ({ columns, andReadable }) =>
    `SELECT ${columns} FROM message m ${joins} WHERE m.place = ?3${andReadable}`,
);

/** The message at a place, if the reader may read it. */
export const messageAt = (tx: ReadTx, place: number, reader: Reader) =>
  tx.get<MessageRow>(messageText(reader), reader.memberRow, reader.role, place);
export const placeOfMessage = (tx: ReadTx, id: string) =>
  tx.get<{ place: number }>("SELECT place FROM message WHERE id = ?", id)?.place ?? null;

/** The row of the member who sent the message at a place. */
export const senderOf = (tx: ReadTx, place: number): number =>
  tx.get<{ sender_row: number }>("SELECT sender_row FROM message WHERE place = ?", place)!
    .sender_row;

/** The place of the thread's first message: the message itself if it is no reply. */
export const rootOf = (tx: ReadTx, place: number) =>
  tx.get<{ root: number }>(
    "SELECT coalesce(root, place) AS root FROM message WHERE place = ?",
    place,
  )!.root;

const repliesText = forReaders(
  ({ columns, andReadable }) =>
    `SELECT ${columns} FROM reply JOIN message m ON m.place = reply.place ${joins} WHERE reply.root = ?3 AND reply.place > ?4${andReadable} ORDER BY reply.place LIMIT ?5`,
);

/** Replies of a thread after a place, oldest first. */
export const repliesOf = (
  tx: ReadTx,
  root: number,
  reader: Reader,
  afterPlace: number,
  limit: number,
) =>
  tx.all<MessageRow>(repliesText(reader), reader.memberRow, reader.role, root, afterPlace, limit);

/** The messages of the thread that begins at ?3. */
const ofThread = "m.place IN (SELECT ?3 UNION ALL SELECT place FROM reply WHERE root = ?3)";
const participantsText = forReaders(
  ({ andReadable }) =>
    `SELECT s.name, min(m.place) AS first FROM message m JOIN member s ON s.row = m.sender_row WHERE ${ofThread}${andReadable} GROUP BY s.row ORDER BY first`,
);

/** Names of the senders of a thread's readable messages, in order of their first. */
export const participantsOf = (tx: ReadTx, root: number, reader: Reader) =>
  tx
    .all<{ name: string }>(participantsText(reader), reader.memberRow, reader.role, root)
    .map(({ name }) => name);

const threadText = forReaders(
  ({ andReadable }) =>
    `SELECT m.place, m.sender_row FROM message m WHERE ${ofThread}${andReadable} ORDER BY m.place`,
);

/** Place and sender of each readable message of a thread, oldest first. */
export const threadMessages = (tx: ReadTx, root: number, reader: Reader) =>
  tx.all<Pick<MessageRow, "place" | "sender_row">>(
    threadText(reader),
    reader.memberRow,
    reader.role,
    root,
  );

const inboxText = forReaders(
  (parts) =>
    `SELECT ${parts.columns} FROM (` +
    "SELECT * FROM (SELECT place FROM message INDEXED BY message_to_all WHERE to_all = 1 AND place > ?3 AND place <= ?4 AND sender_row <> ?1 ORDER BY place LIMIT ?5)" +
    ` UNION ALL SELECT * FROM (SELECT place FROM recipient WHERE member_row = ?1${andAddressed(parts)} AND place > ?3 AND place <= ?4 ORDER BY place LIMIT ?5)` +
    `) inbox JOIN message m ON m.place = inbox.place ${joins} ORDER BY m.place LIMIT ?5`,
);

/** Messages after a place that reach an agent, to all or by name, oldest first. */
export const inboxOf = (
  tx: ReadTx,
  boardRow: number,
  reader: Reader,
  afterPlace: number,
  limit: number,
) =>
  tx.all<MessageRow>(
    inboxText(reader),
    reader.memberRow,
    reader.role,
    afterPlace,
    lastPlaceOf(boardRow),
    limit,
  );

const undamped =
  "NOT EXISTS (SELECT 1 FROM damped d WHERE d.member_row = ?1 AND d.place = m.place)";
const wakingText = forReaders(
  (parts) =>
    `SELECT 1 FROM message m INDEXED BY message_to_all WHERE to_all = 1 AND place > ?3 AND place <= ?4 AND sender_row <> ?1 AND quiet = 0 AND ${undamped}` +
    ` UNION ALL SELECT 1 FROM recipient r JOIN message m ON m.place = r.place WHERE r.member_row = ?1${andAddressed(parts)} AND r.place > ?3 AND r.place <= ?4 AND m.quiet = 0 AND ${undamped} LIMIT 1`,
);

/** Whether a message after a place reaches an agent and may wake it. */
export const hasWaking = (tx: ReadTx, boardRow: number, reader: Reader, afterPlace: number) =>
  tx.get(wakingText(reader), reader.memberRow, reader.role, afterPlace, lastPlaceOf(boardRow)) !==
  null;

const afterText = `SELECT ${columnsForAll} FROM message m ${joins} WHERE m.place > ? AND m.place <= ? ORDER BY m.place LIMIT ?`;

/** A board's messages after a place, oldest first, as members see them who may read everything. */
export const messagesAfter = (tx: ReadTx, boardRow: number, afterPlace: number, limit: number) =>
  tx.all<MessageRow>(afterText, afterPlace, lastPlaceOf(boardRow), limit);

const directRepliesText = forReaders(
  ({ andReadable }) =>
    `SELECT m.id FROM reply JOIN message m ON m.place = reply.place WHERE reply.reply_to = ?3 AND reply.sender_row = ?4${andReadable} ORDER BY reply.place`,
);

/** Ids of a member's direct replies to a message that the reader may read, oldest first. */
export const directReplies = (tx: ReadTx, place: number, senderRow: number, reader: Reader) =>
  tx
    .all<{ id: string }>(directRepliesText(reader), reader.memberRow, reader.role, place, senderRow)
    .map(({ id }) => id);
