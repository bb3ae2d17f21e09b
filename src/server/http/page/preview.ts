import { previewKindOf } from "../../../contract/preview.ts";
import { refuse } from "../../../contract/refusal.ts";
import { presentedBy } from "../credentials.ts";
import type { Seen } from "../request-log.ts";
import { serveOperation } from "../serve-operation.ts";
import type { ServerParts } from "../server-parts.ts";
import { pictureTypeOf } from "./picture-type.ts";
import { withoutWaysOut } from "./ways-out.ts";

/** The policy of what somebody else wrote: no script, no form, no window, and nothing from anywhere but its own text. */
const policy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/**
 * Answers with a version of a file as the page shows it in a frame or as a picture. Only the session of a browser is taken:
 * a program downloads the version. Who may read it is decided as for a download.
 */
export async function servePreview(
  parts: ServerParts,
  request: Request,
  params: Readonly<Record<string, string>>,
  seen: Seen,
): Promise<Response> {
  if (!presentedBy(request, parts.tools)?.cookie) throw refuse("unauthorized");
  const download = await serveOperation(parts, "getFileVersion", forAll(request), params, seen);
  const headers = headersOf(download);
  if (download.status === 304) return new Response(null, { status: 304, headers });
  const name = nameIn(download.headers.get("content-disposition") ?? "");
  const shown = await shownAs(download, name);
  if (!shown) throw refuse("not_found", { what: `preview of ${name}` });
  // A document that is opened by itself could pass for one of this server's, so the browser saves it.
  const isAlone = request.headers.get("sec-fetch-dest") === "document";
  return new Response(shown.body, {
    headers: {
      ...headers,
      "content-type": shown.type,
      "content-disposition": isAlone ? "attachment" : "inline",
    },
  });
}

/** The same request for all of the version's bytes. */
function forAll({ url, headers: given, signal }: Request): Request {
  const headers = new Headers(given);
  for (const name of ["range", "if-range"]) headers.delete(name);
  return new Request(url, { headers, signal });
}

const headersOf = ({ headers }: Response) => ({
  etag: headers.get("etag") ?? "",
  "cache-control": "private, no-cache, no-transform",
  vary: "cookie, sec-fetch-dest",
  "content-security-policy": policy,
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // Else a browser would look up the hosts of its links.
  "x-dns-prefetch-control": "off",
});

const nameIn = (disposition: string): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;]*)/.exec(disposition)?.[1] ?? "");

interface Shown {
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
}

/** What a version is shown as, or null if the page shows no such thing. */
async function shownAs({ headers, body }: Response, name: string): Promise<Shown | null> {
  const kind = previewKindOf(name, headers.get("content-type") ?? "");
  if (!kind || !body) return null;
  if (kind === "html") return { type: "text/html; charset=utf-8", body: withoutWaysOut(body) };
  const reader = body.getReader();
  const first = await reader.read();
  const type = first.value ? pictureTypeOf(first.value) : null;
  if (!type) {
    await reader.cancel();
    return null;
  }
  return { type, body: continued(first.value!, reader) };
}

/** A stream whose first bytes were read. */
const continued = (
  first: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (out) => out.enqueue(first),
    async pull(out) {
      const { done, value } = await reader.read();
      if (done) out.close();
      else out.enqueue(value);
    },
    cancel: (why) => reader.cancel(why),
  });
