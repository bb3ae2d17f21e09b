import type { ReadTx } from "./engine/database.ts";
import type { Happened } from "./engine/log-caches.ts";
import { placeOf } from "./log/log-place.ts";
import { forReaders, readableWalk, type Reader } from "./readers.ts";

const nothing: Happened = { messages: 0, tasksClosed: 0, answers: 0 };
const added = (a: Happened, b: Happened, sign = 1): Happened => ({
  messages: a.messages + sign * b.messages,
  tasksClosed: a.tasksClosed + sign * b.tasksClosed,
  answers: a.answers + sign * b.answers,
});

/** Most places cached for a reader, and about how many characters each takes. */
const [mostPlaces, sizeOfPlace] = [256, 100];

/**
 * What happened on a board after each of some places, up to `upTo`, the end of its log. Committed messages and their
 * recipients never change, so the counts are cached for each reader. The next call only counts what came since, and
 * counts a new place from the nearest known one.
 */
export function happenedAfter(
  tx: ReadTx,
  reader: Reader,
  boardRow: number,
  places: readonly number[],
  upTo: number,
): Map<number, Happened> {
  const { memberRow, role, readsAll } = reader;
  const kept = tx.logCaches.counted.recall(memberRow);
  const isOf = kept?.role === role && kept.readsAll === readsAll && kept.upTo <= upTo;
  const known = isOf ? kept : { upTo, total: nothing, until: new Map<number, Happened>() };
  const count = (after: number, until: number) =>
    happenedIn(tx, reader, { boardRow, after, upTo: until });
  const total = added(known.total, count(known.upTo, upTo));

  const until = new Map(known.until).set(upTo, total);
  const asked = [...new Set(places)].sort((a, b) => b - a);
  for (const place of asked)
    if (!until.has(place)) {
      const nearest = nearestTo(place, until.keys());
      const between = count(Math.min(place, nearest), Math.max(place, nearest));
      until.set(place, added(until.get(nearest)!, between, place < nearest ? -1 : 1));
    }
  const found = new Map(asked.map((place) => [place, added(total, until.get(place)!, -1)]));

  until.delete(upTo);
  const entries = [...until].filter(([place]) => !found.has(place));
  const inTurn = [...entries, ...asked.map((place) => [place, until.get(place) ?? total] as const)];
  const counted = { role, readsAll, upTo, total, until: new Map(inTurn.slice(-mostPlaces)) };
  tx.logCaches.counted.keep(memberRow, counted, sizeOfPlace * (counted.until.size + 1));
  return found;
}

const nearestTo = (place: number, others: Iterable<number>): number =>
  [...others].reduce((best, each) =>
    Math.abs(each - place) < Math.abs(best - place) ? each : best,
  );

/** A range of a board's log: after one place, up to and with another. */
interface Stretch {
  readonly boardRow: number;
  readonly after: number;
  readonly upTo: number;
}

const happenedIn = (tx: ReadTx, reader: Reader, stretch: Stretch): Happened =>
  stretch.after >= stretch.upTo
    ? nothing
    : {
        messages: messagesIn(tx, reader, stretch),
        tasksClosed: tasksClosedIn(tx, stretch),
        answers: answersIn(tx, reader, stretch),
      };

const countOf = (tx: ReadTx, sql: string, ...values: (number | string | null)[]): number =>
  tx.get<{ count: number }>(sql, ...values)!.count;

/** How many messages a board has up to a place. */
const numberAt = (place: string) =>
  `coalesce((SELECT number FROM message WHERE place > ?3 AND place <= ${place} ORDER BY place DESC LIMIT 1), 0)`;
const allText = `SELECT ${numberAt("?2")} - ${numberAt("?1")} AS count`;
const walkedText = `SELECT count(*) AS count FROM (${readableWalk("ASC")})`;

function messagesIn(tx: ReadTx, reader: Reader, { boardRow, after, upTo }: Stretch): number {
  if (reader.readsAll) return countOf(tx, allText, after, upTo, placeOf(boardRow, 0));
  // A walk does not use ?5, and a negative LIMIT is none.
  return countOf(tx, walkedText, reader.memberRow, reader.role, after, upTo + 1, 0, -1);
}

/** How many tasks were closed in a range. Everybody on the board may know. */
const tasksClosedIn = (tx: ReadTx, { after, upTo }: Stretch): number =>
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

const answersIn = (tx: ReadTx, reader: Reader, { after, upTo }: Stretch): number =>
  countOf(tx, answersText(reader), reader.memberRow, reader.role, after, upTo);
