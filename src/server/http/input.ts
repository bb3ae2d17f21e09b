import type { Operation } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import { closed } from "../../contract/schema.ts";
import type { Received } from "../handler.ts";
import type { ReceivedArchive } from "../../board-archive/received-archive.ts";
import { parseJson } from "./body.ts";

/** The input of an operation, typed by its schemas. */
export interface Input {
  readonly params: Record<string, never>;
  readonly query: { wait?: number; after?: number };
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The body of an upload, once it is on disk. */
  readonly bytes?: Received;
  /** The archive of an import, once it is verified. */
  readonly archive?: ReceivedArchive;
}

/** The schema checks. They are loaded with the first input, so that a server starts without their compiler. */
let checks: typeof import("../../contract/validate.ts") | undefined;

/** Path, query and body of a request, in that order. Refuses what does not fit their schemas. */
export async function inputOf(
  op: Operation,
  request: Request,
  given: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): Promise<Input> {
  const mark = request.url.indexOf("?");
  const noQuery = mark < 0 && !op.query?.required?.length;
  if (!op.params && noQuery && bytes.length === 0 && !needsBody(op))
    return { params: {}, query: {}, body: undefined };
  checks ??= await import("../../contract/validate.ts");
  const params = checks.paramsOf(op, given);
  const query = noQuery ? {} : checks.queryOf(op, queryOf(request.url, mark));
  return { params: params as Input["params"], query, body: bodyOf(op, request, bytes, checks) };
}

const queryOf = (url: string, mark: number): URLSearchParams =>
  new URLSearchParams(mark < 0 ? "" : url.slice(mark));

const needsBody = (op: Operation): boolean => op.body !== undefined && !op.bodyOptional;

function bodyOf(
  op: Operation,
  request: Request,
  bytes: Uint8Array,
  { demand }: typeof import("../../contract/validate.ts"),
): Input["body"] {
  if (bytes.length === 0) {
    if (needsBody(op)) throw refuse("invalid_request", { problem: "the body is missing" });
    return undefined;
  }
  const body = parseJson(bytes, request.headers.get("content-type"));
  demand(op.body ?? noBody, body, "the body");
  // Every body has the schema of an object.
  return body as Input["body"];
}

const noBody = closed({});
