import type { Db } from "../../db/engine/database.ts";
import { boardsBehind, fillPiece, isBehind } from "../../db/search/search-index.ts";

/** Greatest number of pieces that a search waits for: 100,000 events at most. */
const mostPieces = 200;
/** Pause between two pieces, in milliseconds: on an idle server, and at most. */
const [shortestPause, longestPause] = [100, 15_000];

/**
 * Keeps the search index up to date with the logs. Posts do not wait for it. A search first indexes the rest of its own
 * board's log; other boards are indexed while the server is idle.
 */
export interface Indexing {
  /**
   * Resolves once the index has all events of the board's log. If the index is far behind, it resolves with a part of
   * them: the search says so, and the next search goes on.
   */
  catchUp(boardRow: number): Promise<void>;
  /** Indexes one piece of one board. Returns whether there may be more. */
  fill(): Promise<boolean>;
  /** Indexes while the server is idle, and now and then while it is busy, until it is stopped. */
  start(): void;
  /** Stops before the next piece. */
  stop(): void;
}

/** Makes the indexing of a database. `complain` gets the error of a piece that failed; searches go on with what is indexed. */
export function createIndexing(db: Db, complain: (error: Error) => void): Indexing {
  const catchingUp = new Map<number, Promise<void>>();
  /** Boards with events that may not be indexed; read from the database at the first use. */
  let ahead: Set<number> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  db.onCommit((signals) => {
    for (const signal of signals) if (signal.about === "head") ahead?.add(signal.boardRow);
  });

  /** Indexes one piece and returns whether there is more. A piece that failed is tried again when its board's log grows. */
  async function fillOne(boardRow: number): Promise<boolean> {
    try {
      return !stopped && (await db.write((tx) => fillPiece(tx, boardRow)));
    } catch (error) {
      complain(error as Error);
      return false;
    }
  }

  async function catchUp(boardRow: number): Promise<void> {
    for (let piece = 0; piece < mostPieces; piece++) if (!(await fillOne(boardRow))) break;
    // In the same turn of the event loop as the last check, so that a later call starts again.
    catchingUp.delete(boardRow);
  }

  async function fill(): Promise<boolean> {
    ahead ??= new Set(db.read(boardsBehind));
    const [boardRow] = ahead;
    if (boardRow === undefined) return false;
    // Removed before the piece is indexed, so that an event that comes meanwhile adds the board again.
    ahead.delete(boardRow);
    if (await fillOne(boardRow)) ahead.add(boardRow);
    return ahead.size > 0;
  }

  let seen = -1;
  let pause = longestPause;
  const failed = (error: Error) => {
    complain(error);
    return false;
  };
  const activity = () => db.counters.reads + db.counters.writes;
  async function tick(): Promise<void> {
    // After the longest pause a piece is indexed even on a busy server. Then the pauses get shorter again.
    const due = pause === longestPause || activity() === seen;
    const more = due ? await fill().catch(failed) : true;
    pause = !more ? longestPause : due ? shortestPause : Math.min(2 * pause, longestPause);
    seen = activity();
    if (!stopped) timer = setTimeout(tick, pause);
  }

  return {
    catchUp(boardRow) {
      const known = catchingUp.get(boardRow);
      if (known) return known;
      if (!db.read((tx) => isBehind(tx, boardRow))) return Promise.resolve();
      const begun = catchUp(boardRow);
      catchingUp.set(boardRow, begun);
      return begun;
    },
    fill,
    start() {
      timer = setTimeout(tick, longestPause);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
