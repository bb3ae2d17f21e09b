import type { Operation } from "../../contract/operation.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { isDeeper } from "./json-depth.ts";

/** Largest JSON body, in bytes. A longer body is refused unread. */
export const largestBody = 1024 * 1024;

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

/** Reads a request's body. Refuses one that is larger than its operation takes, and one that breaks off. */
export async function readBody({ access }: Operation, request: Request): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const limit = access === "anyone" ? largestOpenBody : largestBody;
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  try {
    return await allOf(request, limit);
  } catch (error) {
    throw error instanceof Refusal ? error : unfit("the body broke off");
  }
}

async function allOf(request: Request, limit: number): Promise<Uint8Array> {
  if (request.headers.has("content-length")) return request.bytes();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body!) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
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
