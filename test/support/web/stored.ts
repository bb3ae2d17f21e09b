import { expect } from "bun:test";

/** The server is slow on a busy machine, in milliseconds. */
const longestMs = 20_000;
const pauseMs = 10;

/**
 * Waits until the server has what the page shows already: a message, an answer, a reaction, an approval and an act on a task are
 * shown before they are sent. `expected` may name a part of what is read. In vain, it fails with the difference.
 */
export async function untilStored<T>(read: () => Promise<T>, expected: unknown): Promise<void> {
  const deadline = performance.now() + longestMs;
  for (;;) {
    const stored = await read();
    try {
      return expect({ stored }).toMatchObject({ stored: expected });
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
