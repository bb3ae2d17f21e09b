import type { Client, EventFrom, FollowOptions } from "../../src/client/client.ts";
import type { EventOf } from "../../src/contract/streams.ts";
import { until } from "./wait-until.ts";

type InboxEvent = EventFrom<"streamInbox">;
type Named<E extends EventOf<"streamInbox">> = Extract<InboxEvent, { event: E }>;

/** Follows an agent's inbox and takes every event at once, from `ready` on. */
export async function followInbox(
  client: Client,
  { after, ...options }: FollowOptions & { after?: number } = {},
) {
  const events: InboxEvent[] = [];
  const leaving = new AbortController();
  const state = { ended: false, error: null as unknown };
  const reading = (async () => {
    const query = after === undefined ? {} : { after };
    const given = { signal: leaving.signal, ...options };
    for await (const event of client.follow("streamInbox", { query }, given)) events.push(event);
  })();
  reading.catch((error: unknown) => (state.error = error)).finally(() => (state.ended = true));
  /** The next event. Throws if the stream ends before it. */
  async function next(): Promise<InboxEvent> {
    await until(() => events.length > 0 || state.ended, "an event");
    const event = events.shift();
    if (!event) throw new Error(`the stream ended: ${String(state.error)}`);
    return event;
  }
  /** The next event, which must have this name. */
  async function expectNext<E extends EventOf<"streamInbox">>(name: E): Promise<Named<E>> {
    const event = await next();
    if (event.event !== name) throw new Error(`not ${name}: ${JSON.stringify(event)}`);
    return event as Named<E>;
  }
  const ready = state.ended ? null : await expectNext("ready").catch(() => null);
  return {
    /** The data of the first event. Null if the stream was refused. */
    ready: ready?.data as Named<"ready">["data"],
    next,
    expectNext,
    /** The texts of the next `messages` event. */
    bodies: async () => (await expectNext("messages")).data.messages.map(({ body }) => body),
    /** Events that came and were not asked for. */
    events,
    state,
    leave: () => leaving.abort(),
  };
}

/** The events that are left until the stream ends, by name and data. */
export async function restOf({ events, state }: Awaited<ReturnType<typeof followInbox>>) {
  await until(() => state.ended, "the stream ends");
  return events.splice(0).map(({ event, data }) => ({ event, data }));
}
