import type { Client } from "../../../src/client/client.ts";
import { docs } from "./docs-board.ts";

/** So many posts are under way at a time. The server stores them together. */
const atOnce = 100;

/** Posts `count` messages to `docs`, a hundred at a time. `textOf` gives each its text by its number, from 1. */
export async function postMany(
  clients: readonly Client[],
  count: number,
  textOf: (number: number) => string = (number) => `Message ${number}`,
): Promise<void> {
  for (let from = 1; from <= count; from += atOnce) {
    const numbers = [...Array(Math.min(atOnce, count - from + 1)).keys()].map(
      (step) => from + step,
    );
    await Promise.all(
      numbers.map((number) =>
        clients[number % clients.length]!.call("postMessage", {
          ...docs,
          body: { body: textOf(number) },
        }),
      ),
    );
  }
}
