import { createParser } from "eventsource-parser";
import { Unreachable } from "./errors.ts";

/** Longest event that is read, in characters: as long as the largest body that a server takes. */
export const longestEvent = 1024 * 1024;

/** One event of a stream. An event that has no name of its own is a `message`. */
interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/**
 * Reads the events of a body of server-sent events. Leaves out comments (keepalives) and an incomplete event at
 * the end. Throws `Unreachable` at an event of more than `longestEvent` characters, after the events before it.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  let events: ServerSentEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent({ event = "message", data, id }) {
      // The parser bounds what it keeps between chunks. An event that is whole in one chunk is measured here.
      isTooLong ||= data.length > longestEvent;
      if (!isTooLong) events.push({ event, data, ...(id !== undefined && { id }) });
    },
    onError: ({ type }) => void (isTooLong ||= type === "max-buffer-size-exceeded"),
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events;
    events = [];
    if (isTooLong)
      throw new Unreachable(
        `The stream sent an event of more than ${longestEvent} characters: it is not this service's`,
      );
  }
}
