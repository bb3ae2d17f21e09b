import type { Clock } from "./clock.ts";

/** Smaller steps are what keeps a clock right. */
const leastMs = 1_000;

/** Makes the function that notices, each time it is called, that the time was set or the machine slept, and by how much. */
export function watchClock(clock: Clock, onJump: (milliseconds: number) => void): () => void {
  const offset = () => clock.now() - clock.elapsed();
  let last = offset();
  return () => {
    const jump = offset() - last;
    if (Math.abs(jump) < leastMs) return;
    last += jump;
    onJump(jump);
  };
}
