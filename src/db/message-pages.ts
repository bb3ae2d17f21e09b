import type { ReadTx } from "./database.ts";
import { memberRowsOf } from "./members.ts";
import type { MessageRow } from "./messages.ts";
import { lastPlaceOf, placeOf } from "./places.ts";
import {
  forReaders,
  joins,
  reached,
  reachedWalk,
  readable,
  readableWalk,
  type Direction,
  type Reader,
} from "./readers.ts";
import { shortest } from "./shortest.ts";

/** What a page of messages is chosen by. Seqs are exclusive bounds. */
export interface MessageFilter {
  readonly after: number;
  readonly before: number | null;
  readonly newest: boolean;
  /** Rows of the members whose messages are asked for; null for everybody's. */
  readonly senders: readonly number[] | null;
  /** Only what others wrote and what reaches the reader. */
  readonly toReader: boolean;
  readonly limit: number;
}

/** One way to a page: a walk along indexes to at most ?6 places, and what is left out of those. */
interface Way {
  /** The page: at most ?5 messages. */
  readonly page: (reader: Reader) => string;
  /** Counts the places that the walk came to; null if nothing is left out of them. */
  readonly walked: string | null;
}
type Walk = (direction: Direction) => string;

/** Where a table has the places of what members wrote, and the row of the member who did. */
interface Written {
  readonly table: string;
  readonly place: string;
  readonly sender: string;
}

/** Along what each sender wrote, but only of the senders whose first here is among the first ?6. */
export const walkAlong = ({ table, place, sender }: Written): Walk => {
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
/** Along each sender's messages. */
export const sendersWalk = walkAlong({ table: "message", place: "place", sender: "sender_row" });

/** Writes a way in both directions: its walk, and the condition on what the walk comes to. */
function way(walk: Walk, condition?: string): Record<Direction, Way> {
  // What a record shows is looked up for the messages of the page alone, and the walk always comes first.
  const inDirection = (direction: Direction): Way => {
    const places = condition
      ? `SELECT m.place FROM (${walk(direction)}) walk CROSS JOIN message m ON m.place = walk.place WHERE ${condition} ORDER BY m.place ${direction} LIMIT ?5`
      : walk(direction);
    return {
      page: forReaders(
        ({ columns }) =>
          `SELECT ${columns} FROM (${places}) page CROSS JOIN message m ON m.place = page.place ${joins} ORDER BY m.place ${direction}`,
      ),
      walked: condition ? `SELECT count(*) AS count FROM (${walk(direction)})` : null,
    };
  };
  return { ASC: inDirection("ASC"), DESC: inDirection("DESC") };
}

/** The page of a whole board, which is its own walk. */
function wholeBoard(direction: Direction): Way {
  const page = forReaders(
    ({ columns }) =>
      `SELECT ${columns} FROM message m ${joins} WHERE m.place > ?3 AND m.place < ?4 ORDER BY m.place ${direction} LIMIT ?5`,
  );
  return { page, walked: null };
}

/** That a message is of one of the senders. */
export const bySenders = "m.sender_row IN (SELECT value FROM json_each(?7))";
const pages = {
  ofAll: { ASC: wholeBoard("ASC"), DESC: wholeBoard("DESC") },
  ofSenders: way(sendersWalk),
  readable: way(readableWalk),
  readableBySenders: way(readableWalk, bySenders),
  ofSendersReadable: way(sendersWalk, readable),
  reachedByOthers: way(reachedWalk, "m.sender_row <> ?1"),
  reachedBySenders: way(reachedWalk, bySenders),
  ofSendersReached: way(sendersWalk, reached),
};

/** The ways to a page. Where two conditions meet, either may be the one that few messages fit. */
function waysTo({ readsAll }: Reader, { senders, toReader }: MessageFilter) {
  if (toReader)
    return [senders ? pages.reachedBySenders : pages.reachedByOthers, pages.ofSendersReached];
  if (readsAll) return [senders ? pages.ofSenders : pages.ofAll];
  return senders ? [pages.readableBySenders, pages.ofSendersReadable] : [pages.readable];
}

/** One page of a board's messages in the order asked for: from the newest if `newest`, else from the oldest. */
export function messagesOf(
  tx: ReadTx,
  boardRow: number,
  reader: Reader,
  filter: MessageFilter,
): MessageRow[] {
  const { after, before, newest, toReader, limit } = filter;
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
  const takenBy = (text: string, most: number) => [
    ...window,
    limit,
    ...(text.includes("?6") ? [most] : []),
    ...(text.includes("?7") ? [JSON.stringify(senders())] : []),
  ];
  const along =
    ({ page, walked }: Way) =>
    (most: number) => {
      const text = page(reader);
      const rows = tx.all<MessageRow>(text, ...takenBy(text, most));
      if (rows.length === limit || walked === null) return rows;
      const { count } = tx.get<{ count: number }>(walked, ...takenBy(walked, most))!;
      return count < most ? rows : null;
    };
  const ways = waysTo(reader, filter).map((each) => along(each[newest ? "DESC" : "ASC"]));
  return shortest(limit, ways);
}
