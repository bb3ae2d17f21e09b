import { Refusal, refuse } from "../../contract/refusal.ts";

/** Largest JSON body, in bytes. A longer one is refused unread. */
export const largestBody = 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

const tooLarge = () =>
  refuse("message_too_large", { what: "The body", limit: `${largestBody} bytes` });
const unfit = (problem: string) => refuse("invalid_request", { problem });

/** The bytes of a request's body, at most a megabyte of them. One that breaks off is the client's fault, not the server's. */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  if (Number(request.headers.get("content-length") ?? 0) > largestBody) throw tooLarge();
  try {
    return await allOf(request);
  } catch (error) {
    throw error instanceof Refusal ? error : unfit("the body broke off");
  }
}

async function allOf(request: Request): Promise<Uint8Array> {
  if (request.headers.has("content-length")) return request.bytes();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body!) {
    size += chunk.length;
    if (size > largestBody) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The JSON in a body: UTF-8, of the JSON media type, without lone surrogates. */
export function parseJson(bytes: Uint8Array, mediaType: string | null): unknown {
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(mediaType ?? ""))
    throw unfit("the body must be JSON, sent with `Content-Type: application/json`");
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
  // Only an escape can bring a lone surrogate in: valid UTF-8 has none.
  if (/\\ud/i.test(text) && !isWellFormed(value))
    throw unfit("a text in the body holds a lone surrogate");
  return value;
}

/** Whether no text in a value holds a lone surrogate. It walks without calling itself: a body may be nested to any depth. */
function isWellFormed(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === "string" && !part.isWellFormed()) return false;
    if (typeof part !== "object" || part === null) continue;
    for (const [key, inner] of Object.entries(part)) left.push(key, inner);
  }
  return true;
}
