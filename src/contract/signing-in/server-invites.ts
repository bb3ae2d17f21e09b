import { ownSecretPattern, secretPattern } from "../credentials.ts";
import { callers, operation } from "../operation.ts";
import { OnboardingDisplay, PairingWork } from "../pairing/pairing-requests.ts";
import { AccessKey, NewAccessKey, Person } from "../people.ts";
import {
  BoardId,
  DisplayName,
  Handle,
  InviteId,
  KeyId,
  KeyName,
  MemberId,
  PairingId,
  PersonId,
  ServerId,
  Timestamp,
} from "../scalars.ts";
import { closed, oneOf, record, t, text } from "../schema.ts";

export const ServerInviteMetadata = record({
  id: InviteId,
  created_at: Timestamp,
  expires_at: Timestamp,
  state: oneOf("active", "expired", "revoked", "redeemed"),
  boards: t.Array(BoardId),
  pairing_request_id: t.Optional(PairingId),
  display: t.Optional(OnboardingDisplay),
});

export const OnboardingReceipt = record({
  server_id: ServerId,
  person_id: PersonId,
  key_id: KeyId,
  invite_id: InviteId,
  handle: Handle,
  boards: t.Array(BoardId),
  pairing_request_id: t.Optional(PairingId),
});
export const Connected = record({ server_id: ServerId, person: Person, key: NewAccessKey });
export const ClientConnected = record({
  server_id: ServerId,
  person: Person,
  key: AccessKey,
  onboarding: OnboardingReceipt,
});

export const listServerInvites = operation({
  method: "GET",
  path: "/v1/invites",
  tag: "people",
  summary: "List the invitations to the server that the caller made, oldest first",
  description:
    "All states are listed, without secrets. Only boards that the caller can see now are named.",
  access: "caller",
  callers: callers.keyHolders,
  next: {
    command: "service invite list --server {server}",
    resume: "Run it in your own terminal: it lists the invitations that you made.",
  },
  response: record({ invites: t.Array(ServerInviteMetadata) }),
  errors: [],
});

export const createServerInvite = operation({
  method: "POST",
  path: "/v1/invites",
  tag: "people",
  summary: "Invite a person to the server",
  description:
    "The secret is shown once. The link form is `<server URL>/join#<invite>`. Each board in `boards` becomes an ordinary membership at redemption; the inviter must be on the board now and at the redemption. With `pairing` and exactly one board, a pairing request for the new person is made too. It lasts as long as any other, and never longer than the invitation.",
  success: 201,
  access: "server-admin",
  callers: callers.keyHolders,
  next: {
    command: "service invite --person --server {server}",
    resume:
      "Run it in your own terminal as a server admin, and send the link to the one person you invite. That command makes the invitation.",
  },
  replay: "secret",
  body: closed({
    ttl_seconds: t.Optional(t.Integer({ minimum: 60, maximum: 2_592_000, default: 604_800 })),
    boards: t.Optional(t.Array(BoardId, { uniqueItems: true, maxItems: 100 })),
    pairing: t.Optional(closed({ initiating_agent_id: MemberId, work: PairingWork })),
  }),
  bodyOptional: true,
  response: record({
    id: InviteId,
    invite: text({ pattern: secretPattern("invitation") }),
    server_role: t.Literal("member"),
    expires_at: Timestamp,
    boards: t.Optional(t.Array(BoardId)),
    pairing_request_id: t.Optional(PairingId),
  }),
  errors: [
    ...(["board_not_found", "not_on_board", "board_archived", "board_moved"] as const),
    ...(["agent_not_found", "agent_owner_required", "invalid_combination"] as const),
  ],
});

export const revokeServerInvite = operation({
  method: "DELETE",
  path: "/v1/invites/:invite",
  tag: "people",
  summary: "Revoke an invitation to the server that the caller made",
  description:
    "It can no longer be redeemed. Revoking it again, or revoking a redeemed one, changes nothing: the person who came in with it remains.",
  access: "caller",
  callers: callers.keyHolders,
  next: {
    command: "service invite revoke {invite} --server {server}",
    resume: "Run it in your own terminal: nobody can redeem the invitation then.",
  },
  replay: "kept",
  params: t.Object({ invite: InviteId }),
  response: record({ id: InviteId, revoked: t.Literal(true), changed: t.Boolean() }),
  errors: ["invite_not_found"],
});

export const connect = operation({
  method: "POST",
  path: "/v1/connect",
  tag: "people",
  summary: "Redeem an invitation: become a person of the server and get a first access key",
  description:
    "The key ends after 90 days without use; each use moves its end. A refused redemption leaves the invitation unused. A client that must not lose its key makes it itself, saves it, and sends it as `client_token`. The answer is then 200, with the receipt and without the key. If that answer is lost, `GET /v1/me/onboarding` with the saved key says whether the account was made.",
  success: 201,
  otherSuccess: 200,
  access: "anyone",
  callers: callers.anyone,
  ownOrigin: true,
  limit: "connect",
  replay: "secret",
  body: closed({
    invite: text({ maxLength: 200 }),
    handle: text({ maxLength: 80 }),
    display_name: t.Optional(DisplayName),
    key_name: KeyName,
    client_token: t.Optional(text({ pattern: ownSecretPattern("key") })),
  }),
  response: t.Union([ClientConnected, Connected]),
  errors: ["invite_invalid", "handle_invalid", "handle_taken", "invalid_combination"],
});

export const getOnboardingReceipt = operation({
  method: "GET",
  path: "/v1/me/onboarding",
  tag: "people",
  summary: "Read the receipt of the invitation that was redeemed with this key",
  description:
    "Boards that the caller can no longer see are left out. A missing receipt does not mean that an invitation is unused.",
  access: "caller",
  callers: callers.keyHolders,
  next: {
    command: "service api getOnboardingReceipt --server {server}",
    resume:
      "Run it in your own terminal on the machine that accepted the invitation: it shows the account that was made.",
  },
  response: OnboardingReceipt,
  errors: ["receipt_not_found"],
});
