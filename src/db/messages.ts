import type { EventData } from "../contract/log.ts";
import type { ReadTx } from "./database.ts";
import {
  andAddressed,
  forReaders,
  joins,
  reached,
  readable,
  readableAs,
  type Reader,
} from "./readers.ts";
import { lastPlaceOf, placeOf } from "./places.ts";

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

/** What was posted, and when: the event, where id, text and addressees live. */
export interface Posted {
  readonly at: string;
  readonly data: EventData<"message.posted">;
}

/** The event of the message at a place. */
export function postedAt(tx: ReadTx, place: number): Posted {
  const known = tx.memory.recall(place);
  if (known) return known as Posted;
  const { at, data } = tx.get<{ at: string; data: string }>(
    "SELECT at, data FROM event WHERE place = ?",
    place,
  )!;
  const posted: Posted = { at, data: JSON.parse(data) as Posted["data"] };
  tx.memory.keep(place, posted, data.length);
  return posted;
}

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

const pageTexts = new Map<string, (reader: Reader) => string>();

/** The statement of a page with a filter: one for each combination of conditions, written at its first use. */
function pageText(
  reader: Reader,
  { newest, senderRow, senderRole, toReader }: MessageFilter,
): string {
  const combination = [newest, senderRow !== null, senderRole !== null, toReader].join();
  let text = pageTexts.get(combination);
  if (!text) {
    const conditions =
      (senderRow === null ? "" : " AND m.sender_row = ?6") +
      (senderRole === null
        ? ""
        : " AND EXISTS (SELECT 1 FROM member s WHERE s.row = m.sender_row AND s.role = ?7)") +
      (toReader ? ` AND m.sender_row <> ?1 AND ${reached}` : "");
    text = forReaders(
      ({ columns, andReadable }) =>
        `SELECT ${columns} FROM message m ${joins} WHERE m.place > ?3 AND m.place < ?4${andReadable}${conditions} ` +
        `ORDER BY m.place ${newest ? "DESC" : "ASC"} LIMIT ?5`,
    );
    pageTexts.set(combination, text);
  }
  return text(reader);
}

/** One page of a board's messages in the order asked for: from the newest if `newest`, else from the oldest. */
export const messagesOf = (
  tx: ReadTx,
  boardRow: number,
  reader: Reader,
  filter: MessageFilter,
): MessageRow[] =>
  tx.all<MessageRow>(
    pageText(reader, filter),
    reader.memberRow,
    reader.role,
    placeOf(boardRow, filter.after),
    filter.before === null ? lastPlaceOf(boardRow) + 1 : placeOf(boardRow, filter.before),
    filter.limit,
    ...(filter.senderRow === null && filter.senderRole === null ? [] : [filter.senderRow]),
    ...(filter.senderRole === null ? [] : [filter.senderRole]),
  );

const messageText = forReaders(
  ({ columns, andReadable }) =>
    `SELECT ${columns} FROM message m ${joins} WHERE m.place = ?3${andReadable}`,
);

/** The message at a place, if the reader may read it. */
export const messageAt = (tx: ReadTx, place: number, reader: Reader) =>
  tx.get<MessageRow>(messageText(reader), reader.memberRow, reader.role, place);
export const placeOfMessage = (tx: ReadTx, id: string) =>
  tx.get<{ place: number }>("SELECT place FROM message WHERE id = ?", id)?.place ?? null;

/** The place of the thread's first message: the message itself when it replies to nothing. */
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

const threadsText = forReaders(({ readsAll }) =>
  readsAll
    ? "SELECT root AS place FROM thread WHERE last_reply > ?3 AND last_reply <= ?4 ORDER BY last_reply DESC LIMIT ?5"
    : "SELECT reply.root AS place, max(m.place) AS last_reply FROM reply JOIN message m ON m.place = reply.place " +
      `WHERE reply.root > ?3 AND reply.root <= ?4 AND ${readable} ` +
      `AND EXISTS (SELECT 1 FROM message n WHERE n.place = reply.root AND ${readableAs("n")}) ` +
      "GROUP BY reply.root ORDER BY last_reply DESC LIMIT ?5",
);

/** Places of the first messages of threads whose root and some reply the reader may read, newest reply first. */
export const threadsOf = (tx: ReadTx, boardRow: number, reader: Reader, limit: number) =>
  tx
    .all<{ place: number }>(
      threadsText(reader),
      reader.memberRow,
      reader.role,
      placeOf(boardRow, 0),
      lastPlaceOf(boardRow),
      limit,
    )
    .map(({ place }) => place);

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

/** Messages that reach an agent after a place, oldest first: those to all, and those that reach it by name. */
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

const directRepliesText = forReaders(
  ({ andReadable }) =>
    `SELECT m.id FROM reply JOIN message m ON m.place = reply.place WHERE reply.reply_to = ?3 AND reply.sender_row = ?4${andReadable} ORDER BY reply.place`,
);

/** Ids of a member's direct replies to a message, as far as the reader may read them, oldest first. */
export const directReplies = (tx: ReadTx, place: number, senderRow: number, reader: Reader) =>
  tx
    .all<{ id: string }>(directRepliesText(reader), reader.memberRow, reader.role, place, senderRow)
    .map(({ id }) => id);
