import { createParser } from "eventsource-parser";
import { Unreachable } from "./errors.ts";

/** Longest event that is read, in characters: as long as the largest body that a server takes. */
export const longestEvent = 1024 * 1024;

/** A stream that brings nothing for so many milliseconds has died silently: the server sends at least a comment every 25 seconds. */
const silenceMs = 60_000;

/** One event of a stream. An event that has no name of its own is a `message`. */
interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/**
 * Reads the events of a body of server-sent events. Leaves out comments (keepalives) and an incomplete event at
 * the end. Ends when nothing comes for a minute. Throws `Unreachable` when the connection breaks, and at an event of more
 * than `longestEvent` characters, after the events before it.
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
  // A reader of its own: in Bun, `for await` over a body costs each open stream 40 KB more.
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await nextOf(reader);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events;
      events = [];
      if (isTooLong)
        throw new Unreachable(
          `The stream sent an event of more than ${longestEvent} characters: it is not this service's`,
        );
    }
  } finally {
    // Whoever stops reading ends the connection. One that broke is ended already.
    await reader.cancel().catch(() => {});
  }
}

async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const silence = setTimeout(() => void reader.cancel(), silenceMs);
  try {
    return await reader.read();
  } catch (cause) {
    throw new Unreachable("The connection was lost", { cause });
  } finally {
    clearTimeout(silence);
  }
}
