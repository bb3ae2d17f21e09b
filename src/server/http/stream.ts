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
  let sink!: ReturnType<typeof sinkOf>;
  let stream: OpenStream | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        sink = sinkOf(controller);
      },
      pull: () => stream?.wanted?.(),
      cancel() {
        sink.abandon();
        stream?.close();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  stream = openers[name](call, sink);
  call.request.signal.addEventListener("abort", stream.close, { once: true });
  return new Response(body, { headers });
}

function sinkOf(controller: ReadableStreamDefaultController<Uint8Array>) {
  let open = true;
  return {
    /** Marks the stream as closed, because its reader has cancelled. */
    abandon() {
      open = false;
    },
    send(bytes: Uint8Array) {
      if (!open || -(controller.desiredSize ?? 0) > largestBacklog) return false;
      controller.enqueue(bytes);
      return true;
    },
    end() {
      if (!open) return;
      open = false;
      // If a reader is far behind, closing would keep its unread bytes in memory, so the stream is broken off. It gets no
      // error object, because Bun would print that with its stack outside the server's log.
      if (-(controller.desiredSize ?? 0) > largestBacklog) controller.error();
      else controller.close();
    },
  } satisfies Sink & { abandon(): void };
}
