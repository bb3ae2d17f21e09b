/** Numbers that follow from a seed: the same seed draws the same. */
export interface Draw {
  /** A whole number from 0, less than `n`. */
  readonly int: (n: number) => number;
  readonly chance: (likelihood: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** Draws from a seed. One per request, from the run's seed and the request's number, repeats that request alone. */
export function drawFrom(...seeds: readonly number[]): Draw {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) + 0x7f4a7c15, 1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (n: number) => Math.floor(next() * n);
  return {
    int,
    chance: (likelihood) => next() < likelihood,
    pick: (list) => list[int(list.length)]!,
  };
}
