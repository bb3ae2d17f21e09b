import { AgentWork } from "./agent-work.ts";
import { getInbox } from "./inbox.ts";
import { MidturnPolicy } from "./delivery-midturn.ts";
import { callers, operation } from "./operation.ts";
import {
  after,
  BoardId,
  BoardName,
  BoardTitle,
  Count,
  DeliveryMode,
  Lifecycle,
  MemberId,
  Seq,
  ServerGeneration,
} from "./scalars.ts";
import { closed, nullable, record, t } from "./schema.ts";

/** What decides which messages wake an agent, and what reaches it while a turn runs. */
const mode = {
  delivery_mode: DeliveryMode,
  delivery_revision: Seq,
  midturn_policy: MidturnPolicy,
};

/** Every event of an agent's inbox stream with its data. */
export const inboxEvents = {
  ready: record({
    board: BoardName,
    board_id: BoardId,
    lifecycle: Lifecycle,
    member_id: MemberId,
    generation: ServerGeneration,
    head_seq: Seq,
    cursor: Seq,
    unread: Count,
    ...mode,
    work: AgentWork,
  }),
  messages: t.Object({
    ...getInbox.response.properties,
    delivery_mode: t.Optional(DeliveryMode),
    delivery_revision: t.Optional(Seq),
    midturn_policy: t.Optional(MidturnPolicy),
    work: t.Optional(AgentWork),
  }),
  read: record({ position: Seq }),
  mode: record(mode),
  board: record({ lifecycle: Lifecycle, name: BoardName, title: nullable(BoardTitle) }),
  end: record({ code: t.String() }),
} as const;

export const streamInbox = operation({
  method: "GET",
  path: "/v1/me/inbox/stream",
  tag: "inbox",
  summary: "Follow an agent's inbox, as server-sent events",
  description:
    "First `ready`, then the messages after `after` or the agent's read position, oldest first, and each new one as it comes. An event has at most 50 messages and 256 KB, but at least one message; the next one is sent when the reader has taken the last. Acknowledge with `POST /v1/me/inbox/ack`: what is acknowledged before it is sent is left out. The id of a `messages` event is the seq of its last message; to go on after it, send it as `Last-Event-ID`, which replaces `after`. A position after the board's head counts as the read position. No message is sent twice on one stream. While the stream is open the agent reads as `idle`, until it reports a presence. The stream ends when the token, the seat or the board does, with one `end` before, and when its reader takes nothing for 60 seconds.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  shape: "stream",
  resumes: true,
  query: closed({ after }),
  response: t.String({ contentMediaType: "text/event-stream" }),
  errors: [],
});
