import type { StreamName } from "../../contract/streams.ts";
import type { OpenStream, Sink } from "../live/followers.ts";
import type { Call } from "./request-stages.ts";

/** How many bytes may wait for a slow reader. The stream ends when more do. */
const largestBacklog = 512 * 1024;

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Proxies that buffer answers would hold events back.
  "x-accel-buffering": "no",
};

/** What opens each stream for an admitted call. */
const openers: { readonly [S in StreamName]: (call: Call, sink: Sink) => OpenStream } = {
  stream: ({ parts, presented }, sink) => ({ close: parts.streams.open(presented!, sink) }),
  streamInbox: ({ parts, presented, request, input }, sink) =>
    parts.inboxStreams.open(presented!, lastEventOf(request) ?? input.query.after, sink),
};

/** The position in `Last-Event-ID`; undefined if there is none. A text that is no id of ours counts as one after the head. */
function lastEventOf({ headers }: Request): number | undefined {
  const id = headers.get("last-event-id")?.trim();
  if (!id) return undefined;
  return /^\d{1,15}$/.test(id) ? Number(id) : Infinity;
}

/** Opens a stream of server-sent events for a call. Nothing that lives as long as the stream refers to the call. */
export function openStream(name: StreamName, call: Call): Response {
  const body = new StreamBody();
  const readable = new ReadableStream<Uint8Array>(body, bySize);
  body.stream = openers[name](call, body);
  return new Response(readable, { headers });
}

/** Bytes are counted as they wait, and nothing is asked for before it is wanted. */
const bySize = new ByteLengthQueuingStrategy({ highWaterMark: 0 });

/**
 * The bytes of one stream, between its reader and what sends to it. One object without closures, since there are very many.
 */
class StreamBody implements Sink, UnderlyingDefaultSource<Uint8Array> {
  /** What sends to it, once it is open. */
  stream: OpenStream | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isOpen = true;

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
  }
  pull(): void {
    this.stream?.wanted?.();
  }
  /** Its client has gone. */
  cancel(): void {
    this.#isOpen = false;
    this.stream?.close();
  }
  send(bytes: Uint8Array): boolean {
    if (!this.#isOpen || this.#isBehind) return false;
    this.#controller.enqueue(bytes);
    return true;
  }
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // If a reader is far behind, closing would keep its unread bytes in memory, so the stream is broken off. It gets no
    // error object, because Bun would print that with its stack outside the server's log.
    if (this.#isBehind) this.#controller.error();
    else this.#controller.close();
  }
  get #isBehind(): boolean {
    return -(this.#controller.desiredSize ?? 0) > largestBacklog;
  }
}
