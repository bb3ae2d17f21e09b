import type { Db, ReadTx } from "../../db/engine/database.ts";
import { boardAfter, bytesStored, openAsksOn, seatsOn, waitingInQueues } from "../../db/numbers.ts";
import { readPositionOf } from "../../db/members.ts";
import { unreadOf } from "../boards/views.ts";

/** What only the tables know. */
export interface TableCounts {
  asksOpen: number;
  /** Agents with messages that they have not read. */
  seatsWithUnread: number;
  /** Messages in the queues of delivery daemons. */
  deliveriesWaiting: number;
  /** The bytes of files, each once. */
  fileBytes: number;
}

/** How long one look at the tables lasts, in milliseconds. Whatever else is due comes between two looks. */
const sliceMs = 5;
/** Rows of a table that are read at once. */
const rowsAtOnce = 500;

/** Counts the tables in slices. */
export async function countTables(db: Db): Promise<TableCounts> {
  const counting = count();
  counting.next();
  for (;;) {
    // The first slice too: a request may have asked for it in the middle of its own transaction.
    await new Promise((resolve) => setImmediate(resolve));
    const slice = db.read((tx) => {
      const until = performance.now() + sliceMs;
      let step = counting.next(tx);
      while (!step.done && performance.now() < until) step = counting.next(tx);
      return step;
    });
    if (slice.done) return slice.value;
  }
}

/** Counts with the transaction that each step is given: a slice has its own. */
function* count(): Generator<void, TableCounts, ReadTx> {
  const counts: TableCounts = {
    asksOpen: 0,
    seatsWithUnread: 0,
    deliveriesWaiting: 0,
    fileBytes: 0,
  };
  let tx = yield;
  for (let board = boardAfter(tx, 0); board; board = boardAfter(tx, board.row)) {
    counts.asksOpen += openAsksOn(tx, board.row);
    for (const seat of board.lifecycle === "active" ? seatsOn(tx, board.row) : []) {
      if (unreadOf(tx, board, seat, readPositionOf(tx, seat.row)) > 0) counts.seatsWithUnread++;
      tx = yield;
    }
    tx = yield;
  }
  for (let after: number | null = 0; after !== null; tx = yield) {
    const { waiting, last } = waitingInQueues(tx, after, rowsAtOnce);
    counts.deliveriesWaiting += waiting;
    after = last;
  }
  for (let after: string | null = ""; after !== null; tx = yield) {
    const { bytes, last } = bytesStored(tx, after, rowsAtOnce);
    counts.fileBytes += bytes;
    after = last;
  }
  return counts;
}
