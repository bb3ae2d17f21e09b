import type { OutputOf } from "../../contract/index.ts";
import type { Call } from "./request-stages.ts";

/** Answers with the archive of a board. It is made while it is sent. */
export async function archiveAnswer(
  { parts, presented }: Call,
  facts: OutputOf<"exportBoard">,
): Promise<Response> {
  const end = once(parts.limits.beginExport(presented?.digest ?? ""));
  try {
    // Few requests need it, and it loads the schemas of all events.
    const { archiveOf } = await import("../exporting/archive-of.ts");
    const { db, bytes, tools } = parts;
    const now = new Date();
    const { size, body } = await archiveOf({ db, bytes, facts, now, address: tools.server.url });
    return new Response(ending(body, end), {
      headers: {
        "content-type": "application/x-tar",
        // What is made while it is sent goes out in chunks, so its length has a header of its own.
        "x-archive-bytes": String(size),
        "content-disposition": `attachment; filename="${facts.board}.board.tar"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  } catch (error) {
    end();
    throw error;
  }
}

/** The same bytes. `end` is called when they were read, break off, or are not wanted any more. */
function ending(bytes: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
}
