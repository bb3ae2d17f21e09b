import type { Client, StreamEvent } from "../../src/client/client.ts";
import type { StreamEventData } from "../../src/contract/stream.ts";
import { until } from "./wait-until.ts";

type Counts = StreamEventData<"attention">["counts"];

/**
 * Follows a client's stream, from the moment it has told of so many boards on. Its first event is kept apart, as `hello`, and
 * so are the counts of what needs the person.
 */
export async function follow(client: Client, boards = 1) {
  const events: StreamEvent[] = [];
  const attention: Counts[] = [];
  const leaving = new AbortController();
  const state = { ended: false, error: null as unknown };
  const reading = (async () => {
    for await (const event of client.stream({ signal: leaving.signal }))
      if (event.event === "attention") attention.push(event.data.counts);
      else events.push(event);
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
    /** The counts of what needs the person, once they were sent so many times since the last call. */
    async nextAttention(number = 1): Promise<Counts[]> {
      await until(
        () => attention.length >= number,
        `${number} counts after ${JSON.stringify(attention)}`,
      );
      return attention.splice(0);
    },
    state,
    leave: () => leaving.abort(),
  };
}
