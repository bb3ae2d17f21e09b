/** Upper bounds of the durations that are counted together, in seconds. */
export const durationBounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10] as const;

/** Durations, counted by their length. */
export interface Durations {
  /** How many are at most as long as each bound, and longer than the one before. The last counts those above all bounds. */
  readonly counts: number[];
  count: number;
  /** The sum of all. */
  seconds: number;
}

export const noDurations = (): Durations => ({
  counts: Array.from({ length: durationBounds.length + 1 }, () => 0),
  count: 0,
  seconds: 0,
});

/** Counts one more duration. It allocates nothing. */
export function addDuration(durations: Durations, milliseconds: number): void {
  const seconds = milliseconds / 1000;
  durations.count++;
  durations.seconds += seconds;
  let at = 0;
  while (at < durationBounds.length && seconds > durationBounds[at]!) at++;
  durations.counts[at]!++;
}
