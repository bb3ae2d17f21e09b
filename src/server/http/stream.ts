import type { Presented } from "../access/identify.ts";
import type { Sink } from "../live/followers.ts";
import type { Streams } from "../live/streams.ts";

/** How many bytes may wait for a slow reader. The stream ends when more do. */
const largestBacklog = 512 * 1024;

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Proxies that buffer answers would hold events back.
  "x-accel-buffering": "no",
};

/** Opens a stream of server-sent events for a credential. */
export function openStream(streams: Streams, presented: Presented, gone: AbortSignal): Response {
  let leave = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sink = sinkOf(controller);
        const close = streams.open(presented, sink);
        gone.addEventListener("abort", close, { once: true });
        leave = () => {
          sink.abandon();
          close();
        };
      },
      cancel: () => leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
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
