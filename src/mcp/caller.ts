import type { InputOf, OperationName, OutputOf } from "../contract/index.ts";

/** Path, query and body of a call. Parts that an operation does not have may be left out. */
export type Given<N extends OperationName> = Partial<InputOf<N>>;

/**
 * One agent for the time of one tool call: how it makes operations. Everything that it throws has a code, a message and a
 * hint, as every refusal of the service has.
 */
export interface Caller {
  /** Makes an operation whose body and answer are JSON. */
  call<N extends OperationName>(name: N, input?: Given<N>): Promise<OutputOf<N>>;
  /** Writes a version of a file. */
  upload(input: Given<"putFile">, bytes: Uint8Array<ArrayBuffer>): Promise<OutputOf<"putFile">>;
  /** The bytes of a version of a file; null if they are more than `most`. */
  download(input: Given<"getFileVersion">, most: number): Promise<Uint8Array | null>;
}

/** What is known of a request for a tool. */
export interface ToolRequest {
  /** The id that its client gave it. */
  readonly id: string | number;
  /** `idempotencyKey` of its `_meta`, if it has one. */
  readonly idempotencyKey: string | undefined;
  /** The session that its client says it is of, if it says one, and whether a subagent of that session asks. */
  readonly session: { readonly id: string; readonly isSubagents: boolean } | undefined;
  /** Aborted when the client cancels the request or goes away. */
  readonly signal: AbortSignal;
}

/** Finds out who calls a tool. A door is a way in: a process of its own, or a server's route. */
export type Door = (request: ToolRequest) => Promise<Caller>;

/** All bytes of a body; null if they are more than `most`. */
export async function bytesUpTo(
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
