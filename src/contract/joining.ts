import { secretPattern } from "./credentials.ts";
import { AgentLine, AgentState } from "./agent-line.ts";
import { AgentLocation } from "./agent-location.ts";
import { Board } from "./boards.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import { TaskRef } from "./tasks.ts";
import {
  BoardId,
  BoardName,
  BoardParams,
  BoardSelector,
  Count,
  DeliveryMode,
  Handle,
  Harness,
  HarnessSession,
  JoinCodeId,
  MemberId,
  MemberKind,
  MemberName,
  MemberRef,
  PersonId,
  Presence,
  RemovedBy,
  ReportedDelivery,
  RoleName,
  ServerRole,
  ShortCode,
  Timestamp,
} from "./scalars.ts";

export const Member = record({
  id: MemberId,
  board: BoardName,
  name: MemberName,
  display_name: t.Optional(t.String()),
  kind: MemberKind,
  role: nullable(RoleName),
  owner: nullable(t.String()),
  owner_id: nullable(PersonId),
  harness: nullable(Harness),
  access: nullable(oneOf("admin", "member")),
  server_role: nullable(ServerRole),
  status: oneOf("active", "removed", "left"),
  origin: t.Optional(t.String()),
  removed_at: t.Optional(Timestamp),
  removed_by: t.Optional(RemovedBy),
  can_remove: t.Optional(t.Boolean()),
  joined_at: Timestamp,
  presence: nullable(Presence),
  presence_since: nullable(Timestamp),
  delivery: nullable(ReportedDelivery),
  delivery_mode: nullable(DeliveryMode),
  delivery_revision: nullable(Count),
  line: nullable(AgentLine),
  state: nullable(AgentState),
  current_task: nullable(TaskRef),
  location: t.Optional(AgentLocation),
});

export const RemovedAgent = record({
  id: MemberId,
  board: nullable(BoardName),
  board_id: BoardId,
  name: nullable(MemberName),
  owner: Handle,
  owner_id: PersonId,
  status: oneOf("removed", "left"),
  removed_at: Timestamp,
  removed_by: RemovedBy,
  origin: t.Optional(t.String()),
});

export const JoinCode = record({
  id: JoinCodeId,
  kind: oneOf("pairing", "guest"),
  guest: nullable(Handle),
  board: BoardName,
  role: RoleName,
  expires_at: Timestamp,
  created_at: Timestamp,
  created_by: MemberRef,
  revoked_at: nullable(Timestamp),
});

/** A join code in a list, with its use so far. The code itself is never shown. */
export const HandedOutCode = record({
  ...JoinCode.properties,
  state: oneOf("active", "expired", "revoked", "redeemed"),
  uses: Count,
});

/** An agent with its new token, and the board it is on. */
export const JoinResult = record({
  agent: Member,
  token: text({ pattern: secretPattern("agent") }),
  board: Board,
  reused: t.Optional(t.Literal(true)),
});

export const createJoinCode = operation({
  method: "POST",
  path: "/v1/boards/:board/join-codes",
  tag: "joining",
  summary:
    "Make a code that lets sessions of its maker's person, or with `guest` a guest, join the board",
  description:
    "The code is shown once. A pairing code works any number of times until it ends; an agent needs the `invite` permission to make one. With `guest`, which only a person can send, it is for somebody from outside the server and works once. A free handle makes a new guest at `POST /v1/guest-join`. The handle of a guest of the server brings that person, with their own key, at `POST /v1/join`.",
  success: 201,
  access: "on-board",
  callers: callers.members,
  permission: "invite",
  forPeople: ["guest"],
  lifecycle: "active",
  replay: "secret",
  params: BoardParams,
  body: closed({
    role: RoleName,
    ttl_seconds: t.Optional(t.Integer({ minimum: 60, maximum: 604_800, default: 86_400 })),
    guest: t.Optional(text({ maxLength: 80 })),
  }),
  response: record({ ...JoinCode.properties, code: ShortCode, join_line: t.String() }),
  errors: ["handle_invalid", "guest_handle_taken", "already_on_board", "role_unknown"],
});

export const listJoinCodes = operation({
  method: "GET",
  path: "/v1/boards/:board/join-codes",
  tag: "joining",
  summary: "List the join codes of a board that still work, oldest first",
  description:
    "A person sees the codes that they and their agents made, an owner of the board all codes, an agent those that it made itself, also on an archived board. The codes themselves are never shown again: revoke a code by its id.",
  access: "on-board",
  callers: callers.members,
  params: BoardParams,
  query: closed({ ended: t.Optional(t.Boolean({ default: false })) }),
  response: record({ join_codes: t.Array(HandedOutCode) }),
  errors: [],
});

export const revokeJoinCode = operation({
  method: "DELETE",
  path: "/v1/boards/:board/join-codes/:join_code",
  tag: "joining",
  summary: "Revoke a join code",
  description:
    "For people on the board and the agent that made the code. Agents that joined with it remain. Revoking it again changes nothing.",
  access: "on-board",
  callers: callers.members,
  replay: "kept",
  params: t.Object({ board: BoardName, join_code: JoinCodeId }),
  response: JoinCode,
  errors: ["join_code_not_found", "forbidden"],
});

export const join = operation({
  method: "POST",
  path: "/v1/join",
  tag: "joining",
  summary: "Give a session a seat on a board, by code or by the board's name",
  description:
    "With a key send `code`, or `board` and `role`: each call makes a new agent. With a machine's delegation send `board` and `session`: the session gets its newest seat on the board again, answered 200 with `reused` and a new token that ends the earlier ones. If it has none, the person joins the board, if they can see it, and a new agent is made, with the role `member` by default. A removed seat is not replaced. Without a name the agent is named after its harness, else its role, with a number if that name is taken. The token is shown in this answer only; the new agent's inbox starts at the board's head.",
  success: 201,
  otherSuccess: 200,
  access: "caller",
  callers: callers.keysAndDelegations,
  guests: true,
  limit: "join",
  replay: "kept-for-caller",
  anewFor: ["delegation"],
  body: t.Union([
    closed({
      code: text({ maxLength: 20 }),
      name: t.Optional(MemberName),
      harness: t.Optional(Harness),
      session: t.Optional(HarnessSession),
    }),
    closed({
      board: BoardName,
      role: t.Optional(RoleName),
      name: t.Optional(MemberName),
      harness: t.Optional(Harness),
      session: t.Optional(HarnessSession),
    }),
  ]),
  response: JoinResult,
  errors: [
    "codes_not_for_delegations",
    "guest_not_allowed",
    "join_code_invalid",
    "join_code_not_yours",
    "guest_code_not_for_members",
    "guest_not_allowed",
    "board_not_found",
    "not_on_board",
    "board_archived",
    "board_moved",
    "role_unknown",
    "name_taken",
    "agent_removed",
    "seat_token_replaced",
    "invalid_combination",
  ],
});

export const listMembers = operation({
  method: "GET",
  path: "/v1/boards/:board/members",
  tag: "joining",
  summary: "List the people and agents on a board, with what the agents do",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: BoardParams,
  query: closed({ removed: t.Optional(t.Boolean({ default: false })) }),
  response: record({ members: t.Array(Member) }),
  errors: [],
});

export const removeAgent = operation({
  method: "DELETE",
  path: "/v1/boards/:board/members/:member",
  tag: "joining",
  summary: "Remove an agent from its board for good",
  description:
    "For the agent's person, an owner of the board, or a server admin. Its token stops at once, the join codes it made are revoked, and its name is not given out again. Board and agent are given by name or by id.",
  access: "reaches-board",
  callers: callers.people,
  replay: "kept",
  params: t.Object({ board: BoardSelector, member: text({ minLength: 1, maxLength: 64 }) }),
  response: RemovedAgent,
  errors: ["agent_not_found", "owner_required"],
});

export const leaveAsAgent = operation({
  method: "POST",
  path: "/v1/me/leave",
  tag: "joining",
  summary: "Leave the board for good, as an agent",
  description:
    "The seat ends as if it were removed. A repeat with the same Idempotency-Key still gets this answer.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  replay: "kept",
  replayAfterEnd: true,
  response: RemovedAgent,
  errors: [],
});
