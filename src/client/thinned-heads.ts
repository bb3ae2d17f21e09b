/** A position of a log and its hash. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** How many heads of a board's log are kept. */
const mostHeads = 64;

/**
 * Thins the heads of a log, given oldest first. The first and the newest stay, and between them as few as possible so that no
 * gap is wider than a third of its distance from the newest. So the newest 7 events stay one by one, and however much of the
 * log's end is lost, this place has a head from not long before that. Of more than 64 the oldest but the first go.
 */
export function thinned(heads: readonly Head[]): Head[] {
  const [first, newest] = [heads[0], heads.at(-1)];
  if (!first || !newest || first === newest) return [...heads];
  const kept = [newest];
  for (let i = heads.length - 2; i > 0 && kept.length < mostHeads - 1; i--) {
    const last = kept.at(-1)!.seq;
    const widest = Math.max(1, Math.floor((newest.seq - last) / 3));
    if (last - heads[i - 1]!.seq > widest) kept.push(heads[i]!);
  }
  return [first, ...kept.toReversed()];
}
