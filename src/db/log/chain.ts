import type { EventType } from "../../contract/log.ts";

/** The last event of a board's log. `append` moves it. */
export interface LogHead {
  readonly row: number;
  readonly id: string;
  head_seq: number;
  /** Lowercase hex of the last event's hash. */
  head_hash: string;
}

export interface EventRow {
  place: number;
  id: string;
  type: EventType;
  at: string;
  /** Canonical JSON. */
  actor: string;
  /** Canonical JSON: exactly the text that was hashed. */
  data: string;
  data_hash: string;
  hash: string;
}

/** The hash before a board's first event. */
export const genesisHash = "0".repeat(64);

/** The SHA-256 of a text, in lowercase hex. */
export const sha256 = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");

/** The hash of an event's header, which contains the hash of its data and the hash of the event before. */
export function hashOfEvent(
  event: Pick<EventRow, "id" | "type" | "at" | "actor" | "data_hash">,
  boardId: string,
  seq: number,
  previousHash: string,
): string {
  // The header in canonical form: its keys are sorted, and of its values only the actor needs escaping.
  return sha256(
    `{"actor":${event.actor},"at":"${event.at}","board_id":"${boardId}","data_hash":"sha256:${event.data_hash}",` +
      `"id":"${event.id}","prev_hash":"sha256:${previousHash}","seq":${seq},"type":"${event.type}"}`,
  );
}
