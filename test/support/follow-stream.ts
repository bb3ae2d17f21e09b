import type { Client, StreamEvent } from "../../src/client/client.ts";
import { until } from "./wait-until.ts";

/** Follows a client's stream, from the moment it has told of so many boards on. Its first event is kept apart, as `hello`. */
export async function follow(client: Client, boards = 1) {
  const events: StreamEvent[] = [];
  const leaving = new AbortController();
  const state = { ended: false, error: null as unknown };
  const reading = (async () => {
    for await (const event of client.stream({ signal: leaving.signal })) events.push(event);
  })();
  reading.catch((error: unknown) => (state.error = error)).finally(() => (state.ended = true));
  await until(() => events.length > 2 * boards || state.ended, "the stream opens");
  const hello = events.shift();
  return {
    hello,
    /** What was told since the last time, once `number` events were. */
    async next(number: number) {
      await until(
        () => events.length >= number,
        `${number} events after ${JSON.stringify(events)}`,
      );
      return events.splice(0).map(({ event, data }) => ({ event, ...data }));
    },
    state,
    leave: () => leaving.abort(),
  };
}
