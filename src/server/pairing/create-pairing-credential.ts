import type { Static } from "@sinclair/typebox";
import type { PairingCredential } from "../../contract/pairing/pairing-credentials.ts";
import type { InputOf } from "../../contract/index.ts";
import { refuse } from "../../contract/refusal.ts";
import { pairingWithDigest, type PairingCredentialRow } from "../../db/credentials.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import {
  endCredentialsOfSide,
  endpointOf,
  insertPairingCredential,
  pairingCredentialWithId,
  renewPairingCredential,
  type PairingEndpointRow,
} from "../../db/pairing-endpoints.ts";
import { pairingAt, type PairingRow } from "../../db/pairings.ts";
import type { Caller } from "../access/identify.ts";
import { requireActive } from "../access/archived-boards.ts";
import { ownAgent } from "../access/own-agent.ts";
import type { Handler, Recheck, Tools } from "../handler.ts";
import { newId } from "../ids.ts";
import { afterSeconds, pairingCredentialSeconds } from "../time.ts";
import { isCurrent } from "../access/pairing-outcome.ts";
import type { PairingOfCaller } from "../access/pairing-sides.ts";
import { pairingChanged, refuseClosed } from "./refusals.ts";
import { selectSession } from "./select-session.ts";
import { selectionLasts } from "../access/pairing-session.ts";
import { endpointRecord, pairingRecord } from "./views.ts";

type Body = InputOf<"createPairingCredential">["body"];
type Selection = Omit<PairingEndpointRow, "accepted_at">;
interface Asked {
  readonly body: Body;
  readonly agent: MemberRow;
  readonly selection: Selection;
  readonly expires_at: string;
}

export const createPairingCredential: Handler<"createPairingCredential"> = (
  tx,
  reached,
  { body },
  tools,
) => {
  const { caller, pairing, board } = reached;
  const agent = ownAgent(tx, caller, board, body.agent_id);
  requireSeatOfSide(pairing, body, agent);
  requireActive(tx, board);
  refuseClosed(tx, pairing);

  const selection: Selection = {
    request_row: pairing.row,
    side: body.side,
    member_row: agent.row,
    key_row: caller.key.row,
    session_binding: body.session_binding,
  };
  const expires_at = endOfCredential(tx, pairing, caller);
  const asked: Asked = { body, agent, selection, expires_at };
  const digest = tools.secrets.digest(body.client_token);
  const known = pairingWithDigest(tx, digest)?.pairing;
  const id = known ? goOn(tx, pairing, asked, known) : begin(tx, caller, reached, asked, digest);
  const now = { ...reached, pairing: pairingAt(tx, pairing.row)! };
  return answer(tx, now, { id, side: body.side, expires_at }, tools);
};

function requireSeatOfSide(pairing: PairingRow, { side }: Body, agent: MemberRow): void {
  if (side === "initiator" && agent.row !== pairing.agent_row)
    throw refuse("invalid_combination", { problem: "agent_id is not the initiating agent" });
  if (side === "recipient" && agent.row === pairing.agent_row)
    throw refuse("invalid_combination", { problem: "an agent cannot be paired with itself" });
}

/**
 * Renews the credential of a `client_token` that was sent before. Refuses it for another session. Returns the
 * credential's id.
 */
function goOn(
  tx: Tx,
  pairing: PairingRow,
  { body, selection, expires_at }: Asked,
  known: PairingCredentialRow,
): string {
  if (!isFor(selection, known))
    throw refuse("invalid_combination", {
      problem: "client_token was sent before for another session",
    });
  const isGeneration =
    body.generation === pairing.generation ||
    // A repeat of a replacing selection names the generation before the one that the selection began.
    body.generation === pairing.generation - 1;
  if (known.ended_at !== null || known.generation !== pairing.generation || !isGeneration)
    throw pairingChanged(pairing, "this credential has been replaced");
  renewPairingCredential(tx, known.row, expires_at);
  return known.id;
}

/** Makes a new credential for the selected session, or selects the session first. Returns the credential's id. */
function begin(
  tx: Tx,
  caller: Caller,
  reached: PairingOfCaller & { me: MemberRow },
  { body, agent, selection, expires_at }: Asked,
  digest: string,
): string {
  const { pairing } = reached;
  if (body.generation !== pairing.generation)
    throw pairingChanged(pairing, `its generation is ${pairing.generation}`);
  const selected = endpointOf(tx, pairing.row, body.side);
  const stays = selected !== null && selectionLasts(tx, selected) && !body.replace;
  if (stays && !isFor(selection, selected))
    throw pairingChanged(
      pairing,
      "another session is selected for this side; send `replace` to replace it",
    );
  if (stays) endCredentialsOfSide(tx, pairing.row, body.side);
  else selectSession(tx, caller, reached, agent, selection, selected !== null);
  const { generation } = pairingAt(tx, pairing.row)!;
  const id = newId(tx, "pcr");
  insertPairingCredential(tx, { ...selection, id, digest, generation, expires_at });
  return id;
}

const isFor = (selection: Selection, other: Selection): boolean =>
  other.request_row === selection.request_row &&
  other.side === selection.side &&
  other.member_row === selection.member_row &&
  other.key_row === selection.key_row &&
  other.session_binding === selection.session_binding;

/** When a new credential expires: in ten minutes, but not after the request or after a key with a fixed end. */
function endOfCredential(tx: ReadTx, pairing: PairingRow, { key }: Caller): string {
  const ends = [afterSeconds(tx.now, pairingCredentialSeconds), pairing.expires_at];
  if (key.expires_at !== null && key.idle_expiry_seconds === null) ends.push(key.expires_at);
  return ends.sort()[0]!;
}

function answer(
  tx: ReadTx,
  reached: PairingOfCaller,
  credential: Pick<PairingCredentialRow, "id" | "side" | "expires_at">,
  { server }: Tools,
): Static<typeof PairingCredential> {
  const endpoint = endpointOf(tx, reached.pairing.row, credential.side)!;
  return {
    id: credential.id,
    request: pairingRecord(tx, reached, server),
    side: credential.side,
    endpoint: endpointRecord(tx, reached.pairing, endpoint),
    expires_at: credential.expires_at,
  };
}

/** A replay needs a credential that still works. */
export const createPairingCredentialAgain: Recheck<"createPairingCredential"> = (
  tx,
  { pairing },
  kept,
) => {
  refuseClosed(tx, pairing, "ready");
  if (!isCurrent(tx, pairingCredentialWithId(tx, kept.id)!))
    throw pairingChanged(pairing, "this credential has ended or has been replaced");
};
