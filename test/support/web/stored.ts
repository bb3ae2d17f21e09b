import { expect } from "bun:test";
import { untilItHolds } from "../wait-until.ts";

/**
 * Waits until the server has what the page shows already: a message, an answer, a reaction, an approval and an act on a task are
 * shown before they are sent. `expected` may name a part of what is read. In vain, it fails with the difference.
 */
export const untilStored = <T>(read: () => Promise<T>, expected: unknown): Promise<void> =>
  untilItHolds(async () => expect({ stored: await read() }).toMatchObject({ stored: expected }));
