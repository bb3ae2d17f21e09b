import type { ReadTx } from "./database.ts";
import { placeOf } from "./places.ts";
import { forReaders, readableWalk, type Reader } from "./readers.ts";

/** A stretch of a board's log: after one place and up to another. */
export interface Stretch {
  readonly boardRow: number;
  readonly after: number;
  readonly upTo: number;
}

const countOf = (tx: ReadTx, sql: string, ...values: (number | string | null)[]): number =>
  tx.get<{ count: number }>(sql, ...values)!.count;

/** How many messages a board has up to a place. */
const numberAt = (place: string) =>
  `coalesce((SELECT number FROM message WHERE place > ?3 AND place <= ${place} ORDER BY place DESC LIMIT 1), 0)`;
const allText = `SELECT ${numberAt("?2")} - ${numberAt("?1")} AS count`;
const walkedText = `SELECT count(*) AS count FROM (${readableWalk("ASC")})`;

/** Messages of a stretch that a reader may read. */
export function messagesIn(tx: ReadTx, reader: Reader, { boardRow, after, upTo }: Stretch): number {
  if (reader.readsAll) return countOf(tx, allText, after, upTo, placeOf(boardRow, 0));
  // ?5 is of no use to a walk, and below zero its LIMIT is none.
  return countOf(tx, walkedText, reader.memberRow, reader.role, after, upTo + 1, 0, -1);
}

/** Readable messages of a stretch, as they were counted. */
interface Counted {
  readonly after: number;
  readonly upTo: number;
  readonly count: number;
}

/**
 * The same of a stretch that ends where the log does. What was counted of it is kept for each reader, since neither
 * committed messages nor whom they reach ever change: whoever asks again is counted only what came since.
 */
export function messagesSince(
  tx: ReadTx,
  reader: Reader,
  { boardRow, after, upTo }: Stretch,
): number {
  if (reader.readsAll) return messagesIn(tx, reader, { boardRow, after, upTo });
  // A member's row is no place: those are beyond 2 ** 32.
  const kept = tx.memory.recall(reader.memberRow) as Counted | undefined;
  const known = kept?.after === after ? kept : { after, upTo: after, count: 0 };
  const count = known.count + messagesIn(tx, reader, { boardRow, after: known.upTo, upTo });
  tx.memory.keep(reader.memberRow, { after, upTo, count } satisfies Counted, sizeOfCounted);
  return count;
}
/** About as many characters as one takes. */
const sizeOfCounted = 100;

/** Tasks that were closed in a stretch. Everybody on the board reads of them. */
export const tasksClosedIn = (tx: ReadTx, { after, upTo }: Stretch): number =>
  countOf(
    tx,
    "SELECT count(*) AS count FROM event INDEXED BY task_closing WHERE type = 'task.done' AND place > ? AND place <= ?",
    after,
    upTo,
  );

const answersText = forReaders(({ readsAll, andReadable }) =>
  [
    "SELECT count(*) AS count FROM answer n",
    ...(readsAll ? [] : ["CROSS JOIN message m ON m.place = n.place"]),
    `WHERE n.place > ?3 AND n.place <= ?4${andReadable}`,
  ].join(" "),
);

/** Answers and withdrawals of a stretch that a reader may read. */
export const answersIn = (tx: ReadTx, reader: Reader, { after, upTo }: Stretch): number =>
  countOf(tx, answersText(reader), reader.memberRow, reader.role, after, upTo);
