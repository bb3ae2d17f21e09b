/** Looks every few milliseconds whether something has happened. Fails after five seconds. */
export async function soon(happened: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!happened()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
