import { listedUnlessSaid } from "../contract/limits.ts";
import { seqOf, type LogWindow } from "../db/log/log-place.ts";

/** A page of a list along a board's log, and where to go on in either direction. */
export interface PageAlongLog<Row> {
  /** Oldest first. */
  readonly rows: readonly Row[];
  /** The last seq of the page; null if nothing follows it. */
  readonly next_after: number | null;
  /** The first seq of the page; null if nothing precedes it. */
  readonly prev_before: number | null;
}

/** What a request says of its page. */
type Asked = { readonly [Key in keyof LogWindow]?: LogWindow[Key] | undefined };

/**
 * Reads the page that a request asks for. `read` gives what matches in a window, newest first if the window says so. It
 * is asked for one row more than the page has, and for one beyond a bound of the request.
 */
export function pageAlongLog<Row extends { readonly place: number }>(
  { after = 0, before = null, newest = false, limit = listedUnlessSaid }: Asked,
  read: (window: LogWindow) => readonly Row[],
): PageAlongLog<Row> {
  const found = read({ after, before, newest, limit: limit + 1 });
  const rows = found.slice(0, limit);
  if (rows.length === 0) return { rows, next_after: null, prev_before: null };
  if (newest) rows.reverse();
  const first = seqOf(rows[0]!.place);
  const last = seqOf(rows.at(-1)!.place);
  const cut = found.length > limit;
  const beyond = (window: Pick<LogWindow, "after" | "before" | "newest">) =>
    read({ ...window, limit: 1 }).length > 0;
  const follows =
    (cut && !newest) || (before !== null && beyond({ after: last, before: null, newest: false }));
  const precedes =
    (cut && newest) || (after > 0 && beyond({ after: 0, before: first, newest: true }));
  return { rows, next_after: follows ? last : null, prev_before: precedes ? first : null };
}
