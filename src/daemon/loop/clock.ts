/** The time and its timers. Tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that have passed while this machine was awake. Nobody can set it, and it says nothing of the day. */
  elapsed(): number;
  /** Calls `act` after so many milliseconds. The function that it returns cancels that. */
  after(milliseconds: number, act: () => void): () => void;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(milliseconds: number, until: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => Math.floor(performance.now()),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  pause: (milliseconds, until) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      until.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};
