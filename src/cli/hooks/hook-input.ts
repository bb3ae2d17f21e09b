import type { Input } from "../frame/surroundings.ts";

/** A hook that cannot do its work. The message is one line for the harness's own log. */
export class HookFailed extends Error {
  override readonly name = "HookFailed";
}

/** What a harness tells a hook: one JSON object, of which a field may be missing or of another type. */
export type HookInput = Readonly<Record<string, unknown>>;

/** A batch of tools may have read large files, and all of it is in the input. */
const mostBytes = 64 * 1024 * 1024;

/** Reads the hook's input. Refuses one that is no whole JSON object, or that is larger than a hook keeps. */
export async function readHookInput(stdin: Input): Promise<HookInput> {
  if (stdin.isTerminal()) throw new HookFailed("it is run by a harness, with its input on stdin");
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stdin.stream()) {
    size += piece.length;
    if (size > mostBytes) throw new HookFailed("the input is larger than 64 MiB");
    pieces.push(piece);
  }
  const value = parsed(Buffer.concat(pieces).toString());
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as HookInput;
  throw new HookFailed("the input is not one JSON object");
}

/** The parser's own message would repeat what it read, so it is dropped. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text of the input, or the empty text. */
export function textIn(input: HookInput, field: string): string {
  const value = input[field];
  return typeof value === "string" ? value : "";
}

/** The id of the session. Refuses a missing one, and one that cannot stand on a line. */
export function sessionIn(input: HookInput): string {
  const session = textIn(input, "session_id");
  if (session !== "" && session.length <= 256 && !/[\x00-\x1f\x7f]/.test(session)) return session;
  throw new HookFailed("the input has no session_id");
}
