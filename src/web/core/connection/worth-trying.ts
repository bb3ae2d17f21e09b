const waiting = new Set<() => void>();

/** Waits for a time, and no longer once the network is back, the page is seen again, or the person wants to try. */
export function untilWorthTrying(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      waiting.delete(done);
      clearTimeout(timer);
      removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    waiting.add(done);
    addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
  });
}

/** Ends every wait of this tab for a better moment. */
export function stopWaiting(): void {
  for (const done of waiting) done();
}
