import { NextStep } from "../next-step.ts";
import { callers, operation } from "../operation.ts";
import {
  BoardId,
  Hash,
  InviteId,
  MemberId,
  PairingId,
  PersonId,
  ServerId,
  Timestamp,
} from "../scalars.ts";
import { closed, oneOf, record, t, text } from "../schema.ts";

const PairingState = oneOf(
  ...(["awaiting_account", "awaiting_session", "awaiting_endpoint", "verifying"] as const),
  ...(["ready", "declined", "cancelled", "expired"] as const),
);
/** What a pairing request proposes. These are its writer's words, and they grant nothing. */
export const PairingWork = text({ minLength: 1, maxLength: 4000 });

export const PairingEndpoint = record({
  session_binding: Hash,
  person_id: PersonId,
  agent_id: MemberId,
  generation: t.Integer({ minimum: 1 }),
});

/** The current names for the ids beside it, if the reader may see them. */
export const OnboardingDisplay = record({
  boards: t.Array(record({ id: BoardId, name: t.String(), title: t.String() })),
  person_handle: t.Optional(t.String()),
  agent_name: t.Optional(t.String()),
  agent_harness: t.Optional(t.String()),
});

export const PairingRequest = record({
  id: PairingId,
  server_id: ServerId,
  board_id: BoardId,
  inviter_id: PersonId,
  initiating_agent_id: MemberId,
  work: PairingWork,
  state: PairingState,
  generation: t.Integer({ minimum: 1 }),
  created_at: Timestamp,
  expires_at: Timestamp,
  recipient_id: t.Optional(PersonId),
  invite_id: t.Optional(InviteId),
  initiator: t.Optional(PairingEndpoint),
  recipient: t.Optional(PairingEndpoint),
  awaiting: t.Optional(oneOf("initiator", "recipient", "both")),
  next: t.Optional(NextStep),
  display: t.Optional(OnboardingDisplay),
});

const params = t.Object({ pairing: PairingId });

export const listPairingRequests = operation({
  method: "GET",
  path: "/v1/pairing-requests",
  tag: "pairing",
  summary: "List the pairing requests that the caller is part of, oldest first",
  description:
    "The newest 200 of the last seven days: for people the requests that they made or got, for an agent its person's requests on its board. Listing selects nothing and acknowledges nothing.",
  access: "caller",
  callers: callers.members,
  response: record({ requests: t.Array(PairingRequest) }),
  errors: [],
});

export const createPairingRequest = operation({
  method: "POST",
  path: "/v1/pairing-requests",
  tag: "pairing",
  summary: "Ask a person to let a session of theirs work with one of the caller's agents",
  description:
    "An agent asks for itself. A recipient who is already on the board stays as they are. Any other is added as an ordinary member: a person needs only their right to add, an agent its own and its person's `add-people` allowance. Without these, the recipient of a request on an open board joins by themselves. A request lasts 24 hours.",
  success: 201,
  access: "on-board",
  names: { in: "body", name: "board_id" },
  callers: callers.members,
  limit: "posting",
  replay: "kept",
  body: closed({
    board_id: BoardId,
    recipient_id: PersonId,
    initiating_agent_id: MemberId,
    work: PairingWork,
  }),
  response: PairingRequest,
  errors: [
    "board_archived",
    "board_moved",
    "agent_not_found",
    "agent_owner_required",
    "not_the_initiator",
    "recipient_not_found",
    "guest_is_not_paired",
    "agent_session_required",
    "add_people_not_allowed",
    "allowance_needed",
    "invalid_combination",
    "pairing_not_found",
  ],
});

export const getPairingRequest = operation({
  method: "GET",
  path: "/v1/pairing-requests/:pairing",
  tag: "pairing",
  summary: "Read a pairing request",
  description:
    "For its inviter and its recipient while they see its board, for the agents on its two sides, and for its current pairing credentials. For everybody else it does not exist.",
  access: "party-to-pairing",
  callers: callers.membersAndPairings,
  params,
  response: PairingRequest,
  errors: [],
});

const ownWords = (verb: string) => ({
  command: `service pairing ${verb} {pairing} --server {server}`,
  resume: "Run it in your own terminal: the request is over then.",
});

/** What the operations that end a request have in common. */
const ending = {
  method: "POST",
  tag: "pairing",
  access: "party-to-pairing",
  callers: callers.people,
  replay: "kept",
  params,
  response: PairingRequest,
  errors: ["pairing_closed"],
} as const;

export const declinePairingRequest = operation({
  ...ending,
  path: "/v1/pairing-requests/:pairing/decline",
  summary: "Decline a pairing request, as its recipient",
  description: "Declining it again changes nothing.",
  side: "recipient",
  next: ownWords("decline"),
});

export const cancelPairingRequest = operation({
  ...ending,
  path: "/v1/pairing-requests/:pairing/cancel",
  summary: "Cancel a pairing request, as its inviter",
  description:
    "Cancelling it again changes nothing. This does not revoke an invitation that came with it.",
  side: "initiator",
  next: ownWords("cancel"),
});
