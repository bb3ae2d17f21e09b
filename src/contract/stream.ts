import type { Static } from "@sinclair/typebox";
import { AgentLine, AgentState } from "./agent-line.ts";
import { AttentionCounts } from "./attention.ts";
import { callers, operation } from "./operation.ts";
import { closed, nullable, record, t } from "./schema.ts";
import {
  BoardId,
  BoardName,
  Count,
  MemberId,
  MemberName,
  Presence,
  ReportedDelivery,
  Seq,
  ServerGeneration,
  Timestamp,
} from "./scalars.ts";

const board = { board: BoardName, board_id: BoardId };

/** Every event of the stream with its data. None carries a message's content. */
export const streamEvents = {
  hello: record({ generation: ServerGeneration }),
  head: record({ ...board, seq: Seq }),
  presence: record({
    ...board,
    agent: MemberName,
    member_id: MemberId,
    presence: Presence,
    presence_since: nullable(Timestamp),
    delivery: nullable(ReportedDelivery),
    line: nullable(AgentLine),
    state: AgentState,
  }),
  read: record({ ...board, agent: MemberName, member_id: MemberId, read_up_to: Seq }),
  unread: record({ ...board, read_up_to: Seq, unread: Count }),
  attention: record({ counts: AttentionCounts }),
  board_unavailable: closed({ board_id: BoardId, member_id: t.Optional(MemberId) }),
} as const;

export type StreamEventName = keyof typeof streamEvents;
export type StreamEventData<N extends StreamEventName> = Static<(typeof streamEvents)[N]>;

/** A comment line is sent this often, in seconds, so that proxies keep the stream open. */
export const keepaliveSeconds = 25;

export const stream = operation({
  method: "GET",
  path: "/v1/stream",
  tag: "events",
  summary: "Follow the boards the caller is on, as server-sent events",
  description:
    "`hello` comes first, on every connection. At open: one `head` and one `unread` for each board, and `attention`. Then `head` when a board's log grows, `unread` when the caller's own position or count changes, `presence` when an agent's presence, status line or state changes, `read` when the position of one of the caller's own agents moves, `attention` when what needs the person changes, and `board_unavailable` when the caller can no longer see a board. The stream ends when the credential stops working, and when a reader falls too far behind: reconnect and start from the heads.",
  access: "caller",
  callers: callers.people,
  guests: true,
  shape: "stream",
  response: t.String({ contentMediaType: "text/event-stream" }),
  errors: [],
});
