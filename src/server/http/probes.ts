import type { ServerParts } from "./server-parts.ts";

/** A request without a `Host` has no more of an address than its path. */
const probed = /^(?:https?:\/\/[^/]*)?\/(healthz|readyz)$/;

/**
 * Answers a request of a load balancer or a supervisor; undefined for any other. They ask by any name of the server or by none,
 * without a credential, and get one word. A line for each of them would be most of the log, so there is none.
 */
export function answerProbe(
  { readiness }: ServerParts,
  { method, url }: Request,
): Response | Promise<Response> | undefined {
  if (!url.endsWith("z") || (method !== "GET" && method !== "HEAD")) return undefined;
  const name = probed.exec(url)?.[1];
  if (name === undefined) return undefined;
  if (name === "healthz" || !readiness) return word("ok");
  return readiness.check().then((reason) => (reason === null ? word("ready") : word(reason, 503)));
}

const word = (text: string, status = 200) =>
  new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
