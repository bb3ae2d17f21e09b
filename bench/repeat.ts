import { percentiles, type Percentiles } from "./stats.ts";

/** Posts a second, and how long one batch with its commit takes, in milliseconds. */
export interface Batches {
  rate: number;
  batch_ms: Percentiles;
}

/** Commits batches for so many seconds, after one second that does not count. */
export async function measureBatches(
  commitBatch: () => unknown,
  batch: number,
  seconds: number,
): Promise<Batches> {
  await repeat(commitBatch, 1);
  const { durations, elapsed } = await repeat(commitBatch, seconds);
  return {
    rate: (durations.length * batch * 1000) / elapsed,
    batch_ms: percentiles(durations),
  };
}

/** Does the same again and again for so many seconds and gives how long each time took, in milliseconds. */
export async function repeat(
  work: () => unknown,
  seconds: number,
): Promise<{ durations: number[]; elapsed: number }> {
  const durations: number[] = [];
  const start = performance.now();
  let before = start;
  while (before - start < seconds * 1000) {
    const pending = work();
    if (pending instanceof Promise) await pending;
    const now = performance.now();
    durations.push(now - before);
    before = now;
  }
  return { durations, elapsed: before - start };
}
