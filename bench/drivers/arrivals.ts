/** A listener was at this point of a board's log at this moment, in milliseconds of `performance.now`. */
export interface Arrival {
  seq: number;
  at: number;
}
/** What one listener saw of one board, in order of both. */
export type Arrivals = Arrival[];
/** What one listener saw of its boards, by their names. */
export type Seen = ReadonlyMap<string, Arrivals>;

/** A post with its seq: when it was due, when it was sent, and when its answer came. */
export interface Post extends Arrival {
  board: string;
  due: number;
  answered: number;
}

export const nothingSeen = (boards: readonly string[]): Seen =>
  new Map(boards.map((board): [string, Arrivals] => [board, []]));

/** When a listener first saw a board at or past a seq. */
function seenAt(arrivals: Arrivals, seq: number): number | undefined {
  let low = 0;
  let high = arrivals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (arrivals[middle]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return arrivals[low]?.at;
}

/** Milliseconds from a post's sending to each listener of its board; undefined where it never came. */
export const delays = (post: Post, listeners: readonly Seen[]): (number | undefined)[] =>
  listeners.flatMap((listener) => {
    const arrivals = listener.get(post.board);
    if (!arrivals) return [];
    const at = seenAt(arrivals, post.seq);
    return [at === undefined ? undefined : at - post.at];
  });

export const present = (times: readonly (number | undefined)[]): number[] =>
  times.filter((time) => time !== undefined);

/** Whether every listener has seen the last post of each of its boards. */
export function everythingSeen(posts: readonly Post[], listeners: readonly Seen[]): boolean {
  const last = new Map<string, number>();
  for (const { board, seq } of posts) last.set(board, Math.max(seq, last.get(board) ?? 0));
  return listeners.every((listener) =>
    [...listener].every(
      ([board, arrivals]) => (arrivals.at(-1)?.seq ?? 0) >= (last.get(board) ?? 0),
    ),
  );
}
