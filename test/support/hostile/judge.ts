import { operationNamed } from "../../../src/contract/index.ts";
import { answersBytes } from "../../../src/contract/operation.ts";
import { laterAt } from "../../../src/contract/not-implemented.ts";
import { fits } from "../../../src/contract/validate.ts";
import { codeIn } from "../raw-requests.ts";
import { publicUrl } from "./measured-server.ts";
import type { Hostile } from "./requests.ts";
import type { Outcome, Reply } from "./wire.ts";

/** Most bytes of a head that the runtime reads. */
const largestHead = 15_000;

/** Whether a request is one of HTTP, which the server itself answers. The runtime answers what is none. */
export function isHttp({ target, lines }: Pick<Hostile, "target" | "lines">): boolean {
  const isHead = lines.every((line) => /^[\w-]+: ?[\t -~\x80-\xff]*$/.test(line));
  return isHead && /^\/[!-~]*$/.test(target) && lines.join("").length + target.length < largestHead;
}

/** Whether a request may be answered late or never: it waits for something. */
export const mayWait = ({ target }: Pick<Hostile, "target">): boolean => /[?&]wait=/.test(target);

/** The path that a target means, without its dots. */
const pathOf = (target: string) => URL.parse(target, publicUrl)?.pathname ?? "";

/** What is wrong with how a whole request ended; null if nothing is. */
export function wrongWith(request: Hostile, outcome: Outcome): string | null {
  const { method, target } = request;
  if (outcome === "silent") return mayWait(request) ? null : "no answer";
  if (outcome === "hung up") return isHttp(request) ? "hung up without an answer" : null;
  if (outcome.status === 501 && !laterAt(method, pathOf(target)))
    return "501 for what is no later operation";
  return wrongAnswer(request, outcome) ?? wrongSuccess(request, outcome);
}

/** What is wrong with an answer. The runtime itself answers what is no request of HTTP, and does so without a body. */
export function wrongAnswer(
  request: Hostile,
  reply: Reply,
  isRequest = isHttp(request),
): string | null {
  const { method, target } = request;
  const { status, headers, body } = reply;
  if (status < 200) return `no status: ${status}`;
  if (status < 400) return null;
  const path = pathOf(target);
  const isLater = status === 501 && body.includes('"not_implemented"');
  if (status >= 500 && !isLater) return `a fault: ${status}`;
  if (method === "HEAD" || body.length === 0)
    return method === "HEAD" || !isRequest || isStreamOfTools(path, status)
      ? null
      : `${status} without a body`;
  const type = headers["content-type"] ?? "";
  if (type.startsWith("text/html"))
    return status === 404 ? null : `${status} with a page for an error`;
  const text = body.toString();
  if (path === "/mcp" && text.startsWith('{"jsonrpc"')) return null;
  try {
    codeIn(text);
    return null;
  } catch {
    return `${status} of another shape: ${text.slice(0, 200)}`;
  }
}

/** The protocol of tools wants nothing but this status where a server has no stream of its own. */
const isStreamOfTools = (path: string, status: number) => path === "/mcp" && status === 405;

/** What is wrong with an answer to a request of an operation that succeeded: it must have the form of its schema. */
function wrongSuccess({ of, method }: Hostile, { status, headers, body }: Reply): string | null {
  if (of === null || status >= 300) return null;
  const op = operationNamed(of);
  if (op.method !== method || op.shape === "stream" || answersBytes(op)) return null;
  if (!headers["content-type"]?.startsWith("application/json")) return "a success without JSON";
  return fits(op.response, JSON.parse(body.toString())) ? null : `${of} left its schema`;
}
