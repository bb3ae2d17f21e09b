import type { OutputOf } from "../../contract/index.ts";
import { refuse } from "../../contract/refusal.ts";
import type { Call } from "./request-stages.ts";

type Facts = OutputOf<"getFileVersion">;

/** Position of the first byte of a range, and of the byte after its last. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Answers from disk with the bytes of a version. Their content is not trusted: the headers make a browser save them, and
 * run nothing if it shows them after all.
 */
export async function bytesAnswer(
  { parts, request, given }: Call,
  facts: Facts,
): Promise<Response> {
  const { digest, size, media_type, name, seq } = facts;
  const board = given["board"]!;
  const etag = `"${digest}"`;
  const headers = {
    etag,
    "cache-control": "private, no-cache, no-transform",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  };
  if (isKnown(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });

  const path = await parts.bytes.find(digest.slice("sha256:".length), size);
  if (path === null) {
    parts.log({ level: "error", message: `the bytes ${digest} are missing`, board, seq });
    throw refuse("record_damaged", { board, seq, problem: "its bytes are missing" });
  }
  const asked = request.headers.get("range");
  const range = rangeOf(asked, request.headers.get("if-range"), etag, size);
  const leaf = name.slice(name.lastIndexOf("/") + 1);
  const all = {
    ...headers,
    "content-type": media_type,
    "content-disposition": `attachment; filename="${leaf}"; filename*=UTF-8''${encodeURIComponent(leaf)}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
  const file = Bun.file(path);
  if (range)
    return new Response(file.slice(range.start, range.end), {
      status: 206,
      headers: { ...all, "content-range": `bytes ${range.start}-${range.end - 1}/${size}` },
    });
  if (asked === null) return new Response(file, { headers: all });
  // Bun would answer the Range header itself if it got the file, so a range that is ignored gets a stream.
  const whole = file.stream().pipeThrough(new TransformStream<Uint8Array, Uint8Array>());
  return new Response(whole, { headers: { ...all, "content-length": String(size) } });
}

const isKnown = (given: string | null, etag: string): boolean =>
  given !== null &&
  given
    .split(",")
    .map((each) => each.trim().replace(/^W\//, ""))
    .some((each) => each === "*" || each === etag);

/**
 * The range that a request asks for. Null for the whole file: there is no Range header, it has several ranges or another
 * form, or its condition names other bytes.
 */
function rangeOf(
  asked: string | null,
  condition: string | null,
  etag: string,
  size: number,
): Range | null {
  const [, first = "", last = ""] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(asked ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (condition !== null && condition !== etag) return null;
  // The last bytes of an empty file are the whole file.
  if (first === "" && size === 0 && Number(last) > 0) return null;
  const start = first === "" ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  if (first !== "" && last !== "" && Number(last) < start) return null;
  if (start >= size) throw refuse("range_unsatisfiable", { size }, { size });
  return { start, end };
}
