/** Milliseconds below which so many of a hundred measured times lie, and the greatest. */
export interface Percentiles {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** The percentiles of times in any order, by nearest rank. Zeros when there are none. */
export function percentiles(times: readonly number[]): Percentiles {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return {
    count: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: sorted.at(-1) ?? 0,
  };
}

/** The bounds of the middle half of the values: a quarter of them lies below it, and a quarter above. Refuses none. */
export function middleHalf(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) throw new RangeError("No values to take the middle half of");
  const sorted = [...values].sort((a, b) => a - b);
  const quarter = Math.floor((sorted.length - 1) / 4);
  return [sorted[quarter]!, sorted[sorted.length - 1 - quarter]!];
}

/** The middle of the values; of an even number of them, the mean of the two in the middle. Refuses none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("No values to take the median of");
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}
