import type { Static } from "@sinclair/typebox";
import { canonical } from "../contract/canonical.ts";
import type { EventEnvelope } from "../contract/log.ts";

type Envelope = Static<typeof EventEnvelope>;

/** Why a log is not intact, in the order of the checks. */
export type Fault = "seq_gap" | "prev_hash_mismatch" | "hash_mismatch" | "data_hash_mismatch";

/** How far a log has been checked: its last event, and how many events were checked and had their data withheld. */
export interface Chain {
  readonly seq: number;
  readonly hash: string;
  readonly checked: number;
  readonly withheld: number;
}

/** Where every log begins. */
export const genesis: Chain = {
  seq: 0,
  hash: `sha256:${"0".repeat(64)}`,
  checked: 0,
  withheld: 0,
};

/** Checks the event that follows a chain. Gives the longer chain, or why the event does not belong there. */
export function extend(chain: Chain, event: Envelope): Chain | Fault {
  if (event.seq !== chain.seq + 1) return "seq_gap";
  if (event.prev_hash !== chain.hash) return "prev_hash_mismatch";
  if (event.hash !== digest(headerOf(event))) return "hash_mismatch";
  const visible = event.data !== undefined;
  if (visible && event.data_hash !== digest(event.data)) return "data_hash_mismatch";
  return {
    seq: event.seq,
    hash: event.hash,
    checked: chain.checked + 1,
    withheld: chain.withheld + (visible ? 0 : 1),
  };
}

const headerOf = ({ id, board_id, seq, type, at, actor, data_hash, prev_hash }: Envelope) => ({
  id,
  board_id,
  seq,
  type,
  at,
  actor: {
    kind: actor.kind,
    member_id: actor.member_id,
    name: actor.name,
    owner: actor.owner,
  },
  data_hash,
  prev_hash,
});

/** A value's hash, or null for one that no log can hold. */
function digest(value: unknown): string | null {
  try {
    return `sha256:${Bun.CryptoHasher.hash("sha256", canonical(value), "hex")}`;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
