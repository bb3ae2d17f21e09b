import type { Db } from "../../db/engine/database.ts";
import { boardsBehind, fillPiece, isBehind } from "../../db/search/search-index.ts";

/** Most pieces that a search waits for: 100,000 events at most. */
const mostPieces = 200;
/** How long to wait between two pieces, in milliseconds: where nothing else happens, and at the longest. */
const [shortestPause, longestPause] = [100, 15_000];

/**
 * Brings the search index after the logs. Posts do not wait for it: a search brings it up to its own board before it
 * reads, and what nobody searches for is brought in while the server has nothing else to do.
 */
export interface Indexing {
  /**
   * Resolves once the index has what the board's log holds now. Of a log that is far ahead it has a part of it then: a
   * search says so, and the next one goes on.
   */
  catchUp(boardRow: number): Promise<void>;
  /** Brings one piece of one board in. Gives whether there may be more. */
  fill(): Promise<boolean>;
  /** Fills whenever the server is idle, and now and then when it is not, until it is stopped. */
  start(): void;
  /** Begins no further piece. */
  stop(): void;
}

/** Makes it for a database. `complain` is told of a piece that failed: searches go on with what there is. */
export function createIndexing(db: Db, complain: (error: Error) => void): Indexing {
  const catchingUp = new Map<number, Promise<void>>();
  /** Boards whose logs may be ahead; found out at the first look. */
  let ahead: Set<number> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  db.onCommit((signals) => {
    for (const signal of signals) if (signal.about === "head") ahead?.add(signal.boardRow);
  });

  /** Fills one piece; gives whether there is more. One that failed is tried again when its board's log grows. */
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
    // In the same turn as the last look: whoever asks after this begins anew.
    catchingUp.delete(boardRow);
  }

  async function fill(): Promise<boolean> {
    ahead ??= new Set(db.read(boardsBehind));
    const [boardRow] = ahead;
    if (boardRow === undefined) return false;
    // Before the piece is filled, so that an event that comes meanwhile puts it back.
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
    // After a pause at its longest a piece is due on a busy server too. Then shorter ones are tried again.
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
