import type { Operation } from "../../contract/operation.ts";
import { largestBody } from "../../contract/limits.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { isDeeper } from "./json-depth.ts";

/**
 * Largest JSON body of operations that need no credential, in bytes. Their longest valid body has two kilobytes, or less
 * than six if every character is escaped.
 */
export const largestOpenBody = 16 * 1024;

/** Greatest nesting of lists and objects in a JSON body. The operations need at most 3. */
export const deepestBody = 16;

const decoder = new TextDecoder("utf-8", { fatal: true });

const tooLarge = (limit: number) =>
  refuse("message_too_large", { what: "The body", limit: `${limit} bytes` });
const unfit = (problem: string) => refuse("invalid_request", { problem });

/** A body of more bytes is large: hardly any request has one, so they are counted while they come. */
const largeBody = 64 * 1024;

/** What is done while a body comes that was not sent at once. */
export interface WhileReading {
  /** Called with each piece: the connection does not stand still. */
  moved(): void;
  /** Called once a body is large, until the returned function is called. Refuses it if too many are under way. */
  begin(): () => void;
}

/** Reads a request's body. Refuses one that is larger than its operation takes, and one that breaks off. */
export async function readBody(
  { access }: Operation,
  request: Request,
  meanwhile?: WhileReading,
): Promise<Uint8Array> {
  const limit = access === "anyone" ? largestOpenBody : largestBody;
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > limit) throw tooLarge(limit);
  try {
    // Nearly every body is short and comes at once. To ask for its stream would make one.
    return announced !== null && Number(announced) <= largestOpenBody
      ? await request.bytes()
      : await inPieces(request, limit, Number(announced) > largeBody, meanwhile);
  } catch (error) {
    throw error instanceof Refusal ? error : unfit("the body broke off");
  }
}

/** Reads a body in pieces, so that it may come slowly. */
async function inPieces(
  { body }: Request,
  limit: number,
  isLarge: boolean,
  meanwhile: WhileReading | undefined,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let end: (() => void) | undefined;
  try {
    if (isLarge) end = meanwhile?.begin();
    for await (const chunk of body) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      if (size > largeBody) end ??= meanwhile?.begin();
      meanwhile?.moved();
      chunks.push(chunk);
    }
  } finally {
    end?.();
  }
  return Buffer.concat(chunks);
}

/** Parses a JSON body. Refuses another media type, invalid UTF-8, deep nesting and lone surrogates. */
export function parseJson(bytes: Uint8Array, mediaType: string | null): unknown {
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(mediaType ?? ""))
    throw unfit("the body must be JSON, sent with `Content-Type: application/json`");
  if (isDeeper(bytes, deepestBody))
    throw unfit(`lists and objects in the body stand more than ${deepestBody} deep in each other`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw unfit("the body is not valid UTF-8");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unfit(
      `the body is not valid JSON (${(error as Error).message.replace(/^JSON Parse error: /, "")})`,
    );
  }
  // Only an escape can produce a lone surrogate, because valid UTF-8 has none.
  if (/\\ud/i.test(text) && !isWellFormed(value))
    throw unfit("a text in the body holds a lone surrogate");
  return value;
}

/** Whether all texts in a value are free of lone surrogates. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}
