import type { Static } from "@sinclair/typebox";
import type { PairingEndpoint, PairingRequest } from "../../contract/pairing/pairing-requests.ts";
import type { NextStep } from "../../contract/refusal.ts";
import { personAt } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt } from "../../db/members.ts";
import type { PairingEndpointRow } from "../../db/pairing-endpoints.ts";
import type { PairingRow } from "../../db/pairings.ts";
import { showsHarness } from "../agents/views.ts";
import type { Tools } from "../handler.ts";
import { shellWord } from "../../contract/shell-word.ts";
import type { PairingOfCaller } from "../access/pairing-sides.ts";
import { progressOf, type Progress } from "./pairing-progress.ts";

type Server = Tools["server"];

/** A pairing request as one of its parties sees it. */
export function pairingRecord(
  tx: ReadTx,
  reached: PairingOfCaller,
  server: Server,
): Static<typeof PairingRequest> {
  const { pairing, board } = reached;
  const progress = progressOf(tx, pairing);
  const { state, awaiting, initiator, recipient } = progress;
  const [first] = awaiting;
  return {
    id: pairing.id,
    server_id: server.id,
    board_id: board.id,
    inviter_id: personAt(tx, pairing.inviter_row)!.id,
    initiating_agent_id: memberAt(tx, pairing.agent_row)!.id,
    work: pairing.work,
    state,
    generation: pairing.generation,
    created_at: pairing.created_at,
    expires_at: pairing.expires_at,
    ...(pairing.recipient_row !== null && {
      recipient_id: personAt(tx, pairing.recipient_row)!.id,
    }),
    ...(pairing.invite_id !== null && { invite_id: pairing.invite_id }),
    ...(initiator && { initiator: endpointRecord(tx, pairing, initiator) }),
    ...(recipient && { recipient: endpointRecord(tx, pairing, recipient) }),
    ...(first && {
      awaiting: awaiting.length > 1 ? ("both" as const) : first,
      next: nextOf(reached, progress, server),
    }),
    display: displayOf(tx, reached),
  };
}

/** The record of a selected session, with the request's generation. */
export const endpointRecord = (
  tx: ReadTx,
  { generation }: PairingRow,
  { member_row, session_binding }: PairingEndpointRow,
): Static<typeof PairingEndpoint> => {
  const agent = memberAt(tx, member_row)!;
  const person_id = personAt(tx, agent.person_row)!.id;
  return { session_binding, person_id, agent_id: agent.id, generation };
};

/** Names for the ids in the record. Only members of the board get the name of the initiating agent. */
function displayOf(tx: ReadTx, { pairing, board, me, sides }: PairingOfCaller) {
  const other = sides.includes("initiator") ? pairing.recipient_row : pairing.inviter_row;
  const agent = memberAt(tx, pairing.agent_row)!;
  return {
    boards: [{ id: board.id, name: board.name, title: board.title ?? "" }],
    ...(other !== null && { person_handle: personAt(tx, other)!.handle }),
    ...(me && {
      agent_name: agent.name,
      ...(agent.harness !== null && showsHarness(board, me) && { agent_harness: agent.harness }),
    }),
  };
}

/** What the reader of the request can do next. */
function nextOf(
  { pairing, board, me, sides }: PairingOfCaller,
  now: Progress,
  server: Server,
): NextStep {
  const { state, awaiting, recipient } = now;
  const at = `--server ${shellWord(server.url)}`;
  const isAwaited = (side: "initiator" | "recipient") =>
    state !== "verifying" && sides.includes(side) && awaiting.includes(side);
  if (isAwaited("recipient") && !me)
    return {
      command: `service join --board ${shellWord(board.name)} ${at}`,
      resume:
        "Run it in your own terminal. It puts you on the board; then you can give a session a seat.",
    };
  if (isAwaited("recipient") && state === "awaiting_session")
    return {
      command: `service invite --board ${shellWord(board.name)} ${at}`,
      resume:
        "Run it in your own terminal and give the join line to the session that is to take part. Once it has joined, select it.",
    };
  if (isAwaited("recipient"))
    return {
      command: `service pairing accept ${pairing.id} --here ${at}`,
      resume: recipient
        ? "The selected session has to accept. Run the command there."
        : "Run it in the session that is to take part. It selects that session and accepts.",
    };
  if (isAwaited("initiator"))
    return {
      command: `service pairing select ${pairing.id} --here ${at}`,
      resume: "Run it in the initiating agent's session. Then the other side can reach it.",
    };
  return {
    command: `service pairing show ${pairing.id} ${at}`,
    resume:
      state === "verifying"
        ? "Each agent writes to the other and gets a direct reply; then the request is ready."
        : "The other side has to act next.",
  };
}
