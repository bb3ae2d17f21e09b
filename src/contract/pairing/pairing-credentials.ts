import { ownSecretPattern } from "../credentials.ts";
import { callers, operation } from "../operation.ts";
import { PairingEndpoint, PairingRequest } from "./pairing-requests.ts";
import { Hash, MemberId, PairingCredentialId, PairingId, Seq, Timestamp } from "../scalars.ts";
import { closed, oneOf, record, t, text } from "../schema.ts";

export const PairingSide = oneOf("initiator", "recipient");
const generation = t.Integer({ minimum: 1 });
const params = t.Object({ pairing: PairingId });

export const PairingCredential = record({
  id: PairingCredentialId,
  request: PairingRequest,
  side: PairingSide,
  endpoint: PairingEndpoint,
  expires_at: Timestamp,
});

export const createPairingCredential = operation({
  method: "POST",
  path: "/v1/pairing-credentials",
  tag: "pairing",
  summary: "Select the session of the caller's side of a pairing request, and give it a credential",
  description:
    "For the program that runs the session: it makes the secret, saves it, and sends it. For ten minutes the credential reads, accepts and verifies this one request and does nothing else; asking again for the same session, with this secret or another, gives ten more. While one session is selected, another is refused unless it is sent with `replace`: then the generation rises, and both sides start again. A recipient's selection posts a message of theirs to the agent, which asks it to accept.",
  access: "party-on-board",
  names: { in: "body", name: "request_id" },
  side: { in: "body", name: "side" },
  callers: callers.keyHolders,
  next: {
    command: "service pairing list --server {server}",
    resume:
      "Run it in your own terminal to see the requests. The program that runs the session selects it with your key.",
  },
  limit: "posting",
  replay: "kept",
  body: closed({
    request_id: PairingId,
    side: PairingSide,
    agent_id: MemberId,
    session_binding: Hash,
    generation,
    replace: t.Optional(t.Boolean({ default: false })),
    client_token: text({ pattern: ownSecretPattern("pairing") }),
  }),
  response: PairingCredential,
  errors: [
    "pairing_closed",
    "board_archived",
    "board_moved",
    "agent_not_found",
    "agent_owner_required",
    "pairing_changed",
    "invalid_combination",
  ],
});

export const acceptPairingRequest = operation({
  method: "POST",
  path: "/v1/pairing-requests/:pairing/accept",
  tag: "pairing",
  summary: "Accept a pairing request, as the session that its recipient selected",
  description:
    "Agent and generation must be the credential's own. Accepting again changes nothing. This selects no session, and gives the inviter no control over this one.",
  access: "party-to-pairing",
  side: "recipient",
  callers: callers.pairings,
  lifecycle: "active",
  replay: "kept",
  params,
  body: closed({ agent_id: MemberId, generation }),
  response: PairingRequest,
  errors: ["pairing_changed", "pairing_closed"],
});

export const verifyPairingRoundTrip = operation({
  method: "POST",
  path: "/v1/pairing-requests/:pairing/verify",
  tag: "pairing",
  summary: "Report a message to the other side and its reply, as the session that got the reply",
  description:
    "Each side reports its own direction: a message from its agent to the other agent alone, and the other agent's direct reply to it alone, both after the last session was selected. The request is ready once both directions are reported in one generation. `handoff_id` names the delivery of the reply in the session.",
  access: "party-to-pairing",
  callers: callers.pairings,
  lifecycle: "active",
  replay: "kept",
  params,
  body: closed({
    generation,
    direction: oneOf("initiator_to_recipient", "recipient_to_initiator"),
    ping_seq: Seq,
    reply_seq: Seq,
    handoff_id: text({ minLength: 1, maxLength: 200 }),
  }),
  response: PairingRequest,
  errors: ["pairing_changed", "pairing_closed", "invalid_combination"],
});
