import { constants, Database } from "bun:sqlite";
import type { ReadTx } from "./engine/database.ts";
import { genesisHash, hashOfEvent, sha256, type EventRow } from "./log/chain.ts";
import { lastPlaceOf, placeOf, seqOf } from "./log/log-place.ts";

/** What the copy of a server's database says about itself. */
export interface CopyFacts {
  readonly schema: number;
  readonly server: {
    readonly id: string;
    readonly mode: "local" | "team";
    readonly generation: string | null;
  };
  readonly boards: readonly { readonly id: string; readonly seq: number; readonly head: string }[];
  /** The bytes of every version of every file, each once, ordered by digest. */
  readonly files: readonly { readonly sha256: string; readonly size: number }[];
}

/**
 * Reads and verifies the copy of a database: its pages, and every event of every board's log. Nothing is written, and no
 * lock is taken: the file must be a copy that nobody writes. Never give it a file that a server has open, since closing it
 * would drop that server's lock. Throws an error that says what is damaged.
 */
export function verifiedCopy(path: string): CopyFacts {
  const sql = new Database(
    `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`,
    constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
  );
  const read: Queries = {
    get: (text, ...values) => sql.query(text).get(...values) as never,
    all: (text, ...values) => sql.query(text).all(...values) as never,
    each: (text, ...values) => sql.query(text).iterate(...values) as never,
  };
  try {
    const damage = damagedPages(read);
    if (damage !== null) throw new Error(`its pages are damaged: ${damage}`);
    const { user_version: schema } = read.get<{ user_version: number }>("PRAGMA user_version")!;
    return { schema, server: serverOf(read), boards: boardsOf(read), files: storedBytes(read) };
  } finally {
    sql.close(true);
  }
}

/** Folds the log beside the copy of a database into it. Nobody else may have it open. */
export function foldCopiedLog(path: string): void {
  const sql = new Database(path);
  try {
    // Without it there would be a file of shared memory beside it.
    sql.run("PRAGMA locking_mode = EXCLUSIVE");
    const { busy } = sql.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    if (busy) throw new Error("the log of the copy could not be folded into it");
  } finally {
    sql.close(true);
  }
}

/** How a database is asked, whoever has it open. */
type Queries = Pick<ReadTx, "get" | "all" | "each">;

/** What is damaged in the pages of a database; null if nothing is. */
export function damagedPages(read: Queries): string | null {
  const [first] = read.all<{ integrity_check: string }>("PRAGMA integrity_check(1)");
  const said = first?.integrity_check ?? "nothing can be read";
  return said === "ok" ? null : said;
}

function serverOf(read: Queries): CopyFacts["server"] {
  const server = read.get<CopyFacts["server"]>("SELECT id, mode, generation FROM server");
  if (!server) throw new Error("it is not the database of a server");
  return server;
}

/** The bytes of every version of every file, each once, ordered by digest. */
export const storedBytes = (read: Queries): CopyFacts["files"] =>
  read.all("SELECT sha256, max(size) AS size FROM file_version GROUP BY sha256 ORDER BY sha256");

function boardsOf(read: Queries): CopyFacts["boards"] {
  return read
    .all<{ row: number; id: string }>("SELECT row, id FROM board ORDER BY row")
    .map(({ row, id }) => {
      const { seq, head, isWhole } = followChain(read, row, id);
      if (!isWhole) throw new Error(`the log of the board ${id} does not verify at event ${seq}`);
      return { id, seq, head };
    })
    .filter(({ seq }) => seq > 0);
}

/** How far the hash chain of a board's log holds. */
export interface FollowedChain {
  /** The last event that was looked at. */
  readonly seq: number;
  readonly head: string;
  /** Whether all of it holds. Else `seq` is the first event that does not fit. */
  readonly isWhole: boolean;
}

/** Follows the hash chain of a board's log from its first event to its last. */
export function followChain(read: Queries, boardRow: number, id: string): FollowedChain {
  let [seq, head] = [0, genesisHash];
  const events = read.each<EventRow>(
    "SELECT place, id, type, at, actor, data, data_hash, hash FROM event WHERE place > ? AND place <= ? ORDER BY place",
    placeOf(boardRow, 0),
    lastPlaceOf(boardRow),
  );
  for (const event of events) {
    seq++;
    const fits =
      seqOf(event.place) === seq &&
      sha256(event.data) === event.data_hash &&
      hashOfEvent(event, id, seq, head) === event.hash;
    if (!fits) return { seq, head, isWhole: false };
    head = event.hash;
  }
  return { seq, head, isWhole: true };
}
