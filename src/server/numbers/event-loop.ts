/** How often the event loop is looked at, in milliseconds. */
const everyMs = 500;
/** How long the worst delay is told, in looks: between 30 seconds and a minute. */
const looks = 60;

/** How late the event loop runs what is due. */
export interface EventLoopDelay {
  /** The longest delay of the last half to whole minute, in seconds. */
  worst(): number;
  stop(): void;
}

/** Watches the event loop with a timer: what else is due waits as long as the timer does. */
export function watchEventLoop(): EventLoopDelay {
  let due = performance.now() + everyMs;
  let [before, worst, seen] = [0, 0, 0];
  const timer = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - due);
    due = now + everyMs;
    if (++seen < looks) return;
    [before, worst, seen] = [worst, 0, 0];
  }, everyMs);
  timer.unref();
  return {
    worst: () => Math.max(before, worst, performance.now() - due, 0) / 1000,
    stop: () => clearInterval(timer),
  };
}
