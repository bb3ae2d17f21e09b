import type { ReadTx } from "./engine/database.ts";
import { lastPlaceOf, placeOf } from "./log/log-place.ts";
import { readable, readableAs, readableWalk, type Reader } from "./readers.ts";
import { cheapestWalk } from "./engine/cheapest-walk.ts";

interface ThreadRow {
  /** The place of its first message. */
  place: number;
  last_reply: number;
}

// ?5 is how many threads are asked for. For a reader who does not read all, both ways look at at most ?6 candidates.
const newest =
  "SELECT root AS place, last_reply FROM thread WHERE last_reply > ?3 AND last_reply < ?4 ORDER BY last_reply DESC LIMIT ";

const everyText = `${newest}?5`;

const rootReadable = (root: string) =>
  `EXISTS (SELECT 1 FROM message n WHERE n.place = ${root} AND ${readableAs("n")})`;

/** Starting from the threads: the last reply of each that the reader may read. */
const ofThreadsText =
  `SELECT t.place, last.place AS last_reply FROM (${newest}?6) t CROSS JOIN message last ON last.place = ` +
  `(SELECT m.place FROM reply JOIN message m ON m.place = reply.place WHERE reply.root = t.place AND ${readable} ORDER BY reply.place DESC LIMIT 1) ` +
  `WHERE ${rootReadable("t.place")} ORDER BY last_reply DESC LIMIT ?5`;
const threadsWalkedText = `SELECT count(*) AS count, min(last_reply) AS oldest FROM (${newest}?6)`;

/** Starting from the messages that the reader may read, newest first: the first reply of a thread that comes is its last. */
const ofRepliesText =
  `SELECT m.root AS place, max(m.place) AS last_reply FROM (${readableWalk("DESC")}) walk CROSS JOIN message m ON m.place = walk.place ` +
  `WHERE m.root IS NOT NULL AND ${rootReadable("m.root")} GROUP BY m.root ORDER BY last_reply DESC LIMIT ?5`;
const repliesWalkedText = `SELECT count(*) AS count FROM (${readableWalk("DESC")})`;

/** Places of the first messages of threads whose root and some reply the reader may read, newest reply first. */
export function threadsOf(tx: ReadTx, boardRow: number, reader: Reader, limit: number): number[] {
  const values = [
    reader.memberRow,
    reader.role,
    placeOf(boardRow, 0),
    lastPlaceOf(boardRow) + 1,
    limit,
  ];
  const ofThreads = (most: number) => {
    const found = tx.all<ThreadRow>(ofThreadsText, ...values, most);
    const { count, oldest } = tx.get<{ count: number; oldest: number }>(
      threadsWalkedText,
      ...values,
      most,
    )!;
    // A thread that was not looked at has no reply after the oldest one that was.
    const enough = found.length === limit && found.at(-1)!.last_reply >= oldest;
    return enough || count < most ? found : null;
  };
  const ofReplies = (most: number) => {
    const found = tx.all<ThreadRow>(ofRepliesText, ...values, most);
    const enough = found.length === limit;
    return enough || tx.get<{ count: number }>(repliesWalkedText, ...values, most)!.count < most
      ? found
      : null;
  };
  const found = reader.readsAll
    ? tx.all<ThreadRow>(everyText, ...values)
    : cheapestWalk(limit, [ofThreads, ofReplies]);
  return found.map(({ place }) => place);
}
