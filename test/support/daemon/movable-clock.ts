import type { Clock } from "../../../src/daemon/loop/clock.ts";

/** A clock that the test moves. It runs like the system's otherwise. */
export function movableClock() {
  const waiting = new Set<{ due: number; act: () => void }>();
  const state = { ahead: 0, held: null as number | null, stopped: null as number | null };
  const now = () => state.held ?? Date.now() + state.ahead;
  // Timers run on a time of their own, as the system's do: nothing that sets the clock moves it.
  let passed = 0;
  const run = () => performance.now() + passed;
  const clock: Clock = {
    now,
    elapsed: () => Math.floor(state.stopped ?? performance.now()) + passed,
    after(milliseconds, act) {
      const entry = { due: run() + milliseconds, act: () => {} };
      const timer = setTimeout(() => entry.act(), milliseconds);
      entry.act = () => {
        clearTimeout(timer);
        if (waiting.delete(entry)) act();
      };
      waiting.add(entry);
      return () => {
        clearTimeout(timer);
        waiting.delete(entry);
      };
    },
    pause: (milliseconds, until) =>
      new Promise((resolve) => {
        const cancel = clock.after(milliseconds, resolve);
        until.addEventListener("abort", () => {
          cancel();
          resolve();
        });
      }),
  };
  return {
    ...clock,
    /** Lets time pass: what is due by then happens now. */
    pass(milliseconds: number) {
      state.ahead += milliseconds;
      if (state.held !== null) state.held += milliseconds;
      passed += milliseconds;
      for (const { due, act } of [...waiting]) if (due <= run()) act();
    },
    /** Sets the time forwards or backwards, as its person does, and as it is after sleep. No timer notices. */
    jump: (milliseconds: number) => void (state.ahead += milliseconds),
    /** Stands still until `go`. */
    hold: () => void Object.assign(state, { held: now(), stopped: performance.now() }),
    go: () => void Object.assign(state, { held: null, stopped: null }),
    /** The pauses that run now, in milliseconds from now. */
    pauses: () => [...waiting].map(({ due }) => due - run()),
  };
}

export type MovableClock = ReturnType<typeof movableClock>;
