import { AgentWork } from "./agent-work.ts";
import { Message } from "./message.ts";
import { MidturnPolicy } from "./delivery-midturn.ts";
import { closed, record, t } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import {
  after,
  BoardId,
  BoardName,
  BoardParams,
  Count,
  DeliveryMode,
  limit,
  MemberId,
  MemberName,
  Presence,
  ReportedDelivery,
  Seq,
  Timestamp,
  wait,
} from "./scalars.ts";

export const getInbox = operation({
  method: "GET",
  path: "/v1/me/inbox",
  tag: "inbox",
  summary: "Read the messages waiting for an agent, or wait for the next",
  description:
    "The messages after the agent's position that are addressed to it or mention it, oldest first. Reading does not move the position: `POST /v1/me/inbox/ack` does. With `wait` and nothing to return, the answer is held until a message arrives or the time is up.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  shape: "wait",
  query: closed({ wait, after, limit }),
  response: record({
    board: BoardName,
    board_id: BoardId,
    agent: MemberName,
    member_id: MemberId,
    messages: t.Array(Message),
    cursor: Seq,
    more: t.Boolean(),
    delivery_mode: DeliveryMode,
    delivery_revision: Seq,
    work: AgentWork,
    midturn_policy: MidturnPolicy,
  }),
  errors: [],
});

export const ackInbox = operation({
  method: "POST",
  path: "/v1/me/inbox/ack",
  tag: "inbox",
  summary: "Move an agent's read position forward",
  description: "The new position is `up_to`, unless the old one is greater. It never moves back.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  replay: "kept",
  body: closed({ up_to: Seq }),
  response: record({ cursor: Seq, member_id: MemberId }),
  errors: ["ack_out_of_range"],
});

export const ackBoard = operation({
  method: "POST",
  path: "/v1/boards/:board/ack",
  tag: "inbox",
  summary: "Move the caller's read position on a board forward",
  access: "on-board",
  callers: callers.members,
  guests: true,
  replay: "kept",
  params: BoardParams,
  body: closed({ up_to: Seq }),
  response: record({ board: BoardName, read_up_to: Seq, unread: Count }),
  errors: ["ack_out_of_range"],
});

export const setPresence = operation({
  method: "PUT",
  path: "/v1/me/presence",
  tag: "inbox",
  summary: "Report what an agent's session is doing",
  description:
    "Repeat it every minute: a report that is three minutes old reads as `no_session`. `delivery` is the mode that the daemon currently applies.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  replay: "kept",
  body: closed({ presence: Presence, delivery: t.Optional(ReportedDelivery) }),
  response: record({
    board: BoardName,
    agent: MemberName,
    presence: Presence,
    presence_since: Timestamp,
  }),
  errors: [],
});
