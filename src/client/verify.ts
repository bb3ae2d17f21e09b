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

/** The SHA-256 of a text, in lowercase hex. Each platform has its own: Bun's answers at once, a browser's later. */
type Sha256 = (text: string) => string | Promise<string>;

/** The hashes of an event as they were computed here. Null for what no log can hold, and for data that is withheld. */
interface Digests {
  readonly header: string | null;
  readonly data: string | null;
}

/** Computes the hashes of an event from what it says. */
export async function digestsOf(event: Envelope, sha256: Sha256): Promise<Digests> {
  const [header, data] = await Promise.all([
    digest(headerOf(event), sha256),
    event.data === undefined ? null : digest(event.data, sha256),
  ]);
  return { header, data };
}

/** Checks the event that follows a chain. Gives the longer chain, or why the event does not belong there. */
export function extend(chain: Chain, event: Envelope, { header, data }: Digests): Chain | Fault {
  if (event.seq !== chain.seq + 1) return "seq_gap";
  if (event.prev_hash !== chain.hash) return "prev_hash_mismatch";
  if (event.hash !== header) return "hash_mismatch";
  const visible = event.data !== undefined;
  if (visible && event.data_hash !== data) return "data_hash_mismatch";
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
async function digest(value: unknown, sha256: Sha256): Promise<string | null> {
  let text: string;
  try {
    text = canonical(value);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  return `sha256:${await sha256(text)}`;
}
