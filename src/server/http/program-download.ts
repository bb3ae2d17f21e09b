import { refuse } from "../../contract/refusal.ts";
import type { ProgramTarget } from "../../contract/programs.ts";
import { createDownloadsAtOnce, type DownloadsAtOnce } from "../downloads/downloads-at-once.ts";
import type { OfferedProgram, Programs } from "../downloads/programs.ts";

/** Answers a request for a program, at an address. */
export type ServeProgram = (
  target: ProgramTarget,
  request: Request,
  address: string,
) => Promise<Response>;

/** Makes what answers requests for the programs of a server. Without a folder of programs none is there. */
export function serveProgramsOf(programs: Programs | undefined): ServeProgram {
  const atOnce = createDownloadsAtOnce();
  return async (target, request, address) => {
    const offered = (await programs?.offered()) ?? [];
    const program = offered.find((one) => one.target === target);
    if (!program) throw refuse("not_found", { what: `program for ${target} on this server` });
    if (request.method !== "GET")
      return new Response(Bun.file(program.path), { headers: headersOf(program) });
    return new Response(bytesOf(program, atOnce, address), { headers: headersOf(program) });
  };
}

const headersOf = ({ size, sha256 }: OfferedProgram) => ({
  "content-type": "application/octet-stream",
  "content-length": String(size),
  "content-disposition": 'attachment; filename="service"',
  etag: `"sha256:${sha256}"`,
  "cache-control": "no-cache, no-transform",
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "referrer-policy": "no-referrer",
});

/** The bytes of a program, counted as a download until they are all sent or their reader has gone. */
function bytesOf(
  { path }: OfferedProgram,
  atOnce: DownloadsAtOnce,
  address: string,
): ReadableStream<Uint8Array> {
  const end = atOnce.begin(address);
  const reader = Bun.file(path).stream().getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
