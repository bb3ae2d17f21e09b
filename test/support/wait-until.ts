/** Longer than anything that a test waits for takes on a busy machine, in milliseconds. */
const longestMs = 20_000;

/** Lets everything that is due in this process run, until `happened` is true. Fails after 20 seconds, unless fewer are given. */
export async function until(
  happened: () => boolean,
  what: string,
  milliseconds = longestMs,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!happened()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Asks until the answer is yes. Fails after 20 seconds, unless fewer are given. */
export async function untilTrue(
  ask: () => Promise<boolean>,
  what: string,
  milliseconds = longestMs,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await ask())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Looks until what is expected of it holds. In vain, it fails with what the last look found. */
export async function untilItHolds(look: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + longestMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
