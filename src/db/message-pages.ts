import type { ReadTx } from "./engine/database.ts";
import { memberRowsOf } from "./members.ts";
import type { MessageRow } from "./messages.ts";
import { lastPlaceOf, placeOf, type LogWindow } from "./log/log-place.ts";
import {
  forReaders,
  joins,
  reached,
  reachedWalk,
  readable,
  readableWalk,
  within,
  type Direction,
  type Reader,
} from "./readers.ts";
import { cheapestWalk } from "./engine/cheapest-walk.ts";

/** The filters of a page of messages. */
export interface MessageFilter extends LogWindow {
  /** Rows of the members whose messages are asked for; null for everybody's. */
  readonly senders: readonly number[] | null;
  /** Whether only messages by others that reach the reader are on it. */
  readonly toReader: boolean;
  /** Row of the task that they are about; null for messages about anything. */
  readonly task: number | null;
}

// ?1 and ?2 are the reader, ?3 and ?4 the bounds, ?5 is the page's limit, ?6 how far a walk goes, ?7 the senders, ?8 the task.
/** One way to a page: a walk along indexes to at most ?6 places, with conditions on those. */
interface Way {
  /** The page: at most ?5 messages. */
  readonly page: (reader: Reader) => string;
  /** Counts the places that the walk reached. Null if it has no conditions. */
  readonly walked: string | null;
}
type Walk = (direction: Direction) => string;

/** A table of things that members wrote, with its columns for the place and for the member's row. */
export interface Written {
  readonly table: string;
  readonly place: string;
  readonly sender: string;
}

/** A walk along what each sender wrote. Senders whose first place here is not among the first ?6 are skipped. */
const walkAlong = ({ table, place, sender }: Written): Walk => {
  return (direction) => {
    const nth = (row: string, n: string) =>
      `(SELECT ${place} FROM ${table} WHERE ${sender} = ${row} AND ${place} > ?3 AND ${place} < ?4 ORDER BY ${place} ${direction} LIMIT 1${n})`;
    const last = nth("s.row", " OFFSET ?6 - 1");
    const upToLast =
      direction === "ASC"
        ? `n.${place} > ?3 AND n.${place} <= coalesce(${last}, ?4 - 1)`
        : `n.${place} < ?4 AND n.${place} >= coalesce(${last}, ?3 + 1)`;
    return (
      `SELECT n.${place} AS place FROM (SELECT value AS row, ${nth("value", "")} AS first FROM json_each(?7) ORDER BY first ${direction} NULLS LAST LIMIT ?6) s ` +
      `CROSS JOIN ${table} n ON n.${sender} = s.row AND ${upToLast} ORDER BY n.${place} ${direction} LIMIT ?6`
    );
  };
};
const sendersWalk = walkAlong({ table: "message", place: "place", sender: "sender_row" });

/** A walk along the messages about a task. */
export const taskWalk: Walk = (direction) =>
  `SELECT place FROM message_task WHERE task_row = ?8 AND ${within} ORDER BY place ${direction} LIMIT ?6`;

/** A filter of a page in two forms: a walk along the messages that fit, and a condition for another filter's walk. */
const choices = {
  reached: { walk: reachedWalk, fits: reached },
  readable: { walk: readableWalk, fits: readable },
  senders: { walk: sendersWalk, fits: "m.sender_row IN (SELECT value FROM json_each(?7))" },
  others: { walk: sendersWalk, fits: "m.sender_row <> ?1" },
  task: {
    walk: taskWalk,
    fits: "EXISTS (SELECT 1 FROM message_task a WHERE a.task_row = ?8 AND a.place = m.place)",
  },
} as const satisfies Record<string, { walk: Walk; fits: string }>;
type Choice = keyof typeof choices;

/** Builds the statements of a way from its walk and the conditions. */
function wayAlong(walk: Walk, conditions: readonly string[], direction: Direction): Way {
  // The columns of records are looked up for the page's messages alone. CROSS JOIN makes SQLite run the walk first.
  const places =
    conditions.length > 0
      ? `SELECT m.place FROM (${walk(direction)}) walk CROSS JOIN message m ON m.place = walk.place WHERE ${conditions.join(" AND ")} ORDER BY m.place ${direction} LIMIT ?5`
      : walk(direction);
  return {
    page: forReaders(
      ({ columns }) =>
        `SELECT ${columns} FROM (${places}) page CROSS JOIN message m ON m.place = page.place ${joins} ORDER BY m.place ${direction}`,
    ),
    walked: conditions.length > 0 ? `SELECT count(*) AS count FROM (${walk(direction)})` : null,
  };
}

/** The page without filters, which needs no walk. */
function wholeBoard(direction: Direction): Way {
  const page = forReaders(
    ({ columns }) =>
      `SELECT ${columns} FROM message m ${joins} WHERE m.place > ?3 AND m.place < ?4 ORDER BY m.place ${direction} LIMIT ?5`,
  );
  return { page, walked: null };
}

/** The ways to a page, one along each of its filters. With several filters, any of them may be the one that few messages fit. */
function waysAlong(chosen: readonly Choice[], direction: Direction): readonly Way[] {
  if (chosen.length === 0) return [wholeBoard(direction)];
  return chosen.map((along) => {
    const conditions = chosen.filter((one) => one !== along).map((one) => choices[one].fits);
    return wayAlong(choices[along].walk, conditions, direction);
  });
}
const written = new Map<string, readonly Way[]>();

/** The ways to a page with these filters. Each is built once. */
function waysTo(
  { readsAll }: Reader,
  { senders, toReader, task, newest }: MessageFilter,
): readonly Way[] {
  const chosen: Choice[] = [
    ...(toReader ? ["reached" as const] : readsAll ? [] : ["readable" as const]),
    ...(senders ? ["senders" as const] : toReader ? ["others" as const] : []),
    ...(task === null ? [] : ["task" as const]),
  ];
  const direction = newest ? "DESC" : "ASC";
  const key = `${chosen.join()} ${direction}`;
  let ways = written.get(key);
  if (!ways) written.set(key, (ways = waysAlong(chosen, direction)));
  return ways;
}

/** Cuts values after the last one that a statement names, since SQLite refuses more. */
export function namedIn<T>(text: string, values: readonly T[]): T[] {
  let last = lastNamed.get(text);
  if (last === undefined) {
    last = Math.max(...[...text.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
    lastNamed.set(text, last);
  }
  return values.slice(0, last);
}
const lastNamed = new Map<string, number>();

/** One page of a board's messages, newest first if `newest`, else oldest first. */
export function messagesOf(
  tx: ReadTx,
  boardRow: number,
  reader: Reader,
  filter: MessageFilter,
): MessageRow[] {
  const { after, before, toReader, task, limit } = filter;
  const window = [
    reader.memberRow,
    reader.role,
    placeOf(boardRow, after),
    before === null ? lastPlaceOf(boardRow) + 1 : placeOf(boardRow, before),
  ];
  const senders = () =>
    (filter.senders ?? memberRowsOf(tx, boardRow)).filter(
      (row) => !toReader || row !== reader.memberRow,
    );
  const takenBy = (text: string, most: number) =>
    namedIn(text, [
      ...window,
      limit,
      most,
      text.includes("?7") ? JSON.stringify(senders()) : null,
      task,
    ]);
  const along =
    ({ page, walked }: Way) =>
    (most: number) => {
      const text = page(reader);
      const rows = tx.all<MessageRow>(text, ...takenBy(text, most));
      if (rows.length === limit || walked === null) return rows;
      const { count } = tx.get<{ count: number }>(walked, ...takenBy(walked, most))!;
      return count < most ? rows : null;
    };
  return cheapestWalk(limit, waysTo(reader, filter).map(along));
}
