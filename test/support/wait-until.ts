/** Lets everything that is due in this process run, until `happened` is true. Fails after two seconds. */
export async function until(
  happened: () => boolean,
  what: string,
  milliseconds = 2000,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!happened()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Asks until the answer is yes. Fails after two seconds, unless more are given. */
export async function untilTrue(
  ask: () => Promise<boolean>,
  what: string,
  milliseconds = 2000,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await ask())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
