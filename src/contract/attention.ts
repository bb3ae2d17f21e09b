import { FileRef } from "./file-record.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import {
  BoardId,
  BoardName,
  Count,
  limit,
  MemberId,
  MemberName,
  MemberRef,
  MessageId,
  PairingId,
  Seq,
  Timestamp,
  wait,
} from "./scalars.ts";
import { TaskRef } from "./tasks.ts";

/** Why something needs a person. */
export const AttentionKind = oneOf(
  "ask",
  "approval_ask",
  "reply_wanted",
  "mention",
  "pairing",
  "machine_request",
  "agents_in_loop",
  "agent_silent",
  "agent_waiting",
  "agent_late",
  "added_to_board",
  "not_delivered",
);

/** How many items there are: those that cannot wait, and the others. */
export const AttentionCounts = record({ now: Count, later: Count });

/** What an item is about, by ids. */
export const AttentionRef = record({
  board_id: t.Optional(BoardId),
  message_id: t.Optional(MessageId),
  seq: t.Optional(Seq),
  task: t.Optional(TaskRef),
  files: t.Optional(t.Array(FileRef)),
  agents: t.Optional(t.Array(record({ member_id: MemberId, name: MemberName }))),
  pairing_request_id: t.Optional(PairingId),
  until: t.Optional(Timestamp),
});

/** Something that a person can do about an item. */
export const AttentionAction = record({
  name: oneOf("answerAsk", "approve", "reply", "open", "decline", "command"),
  options: t.Optional(t.Array(t.String())),
  command: t.String(),
});

/** One thing that needs a person. */
export const AttentionItem = record({
  id: t.String(),
  kind: AttentionKind,
  urgency: oneOf("now", "later"),
  board: nullable(BoardName),
  at: Timestamp,
  from: nullable(MemberRef),
  title: t.String(),
  text: t.String(),
  ref: AttentionRef,
  actions: t.Array(AttentionAction),
  snoozed_until: t.Optional(Timestamp),
});

/** Only its length is checked here: an id in another form is that of no item. */
const ItemParams = t.Object({ item: text({ minLength: 1, maxLength: 200 }) });

export const getAttention = operation({
  method: "GET",
  path: "/v1/me/attention",
  tag: "attention",
  summary: "List what needs the person, or wait until that changes",
  description:
    "One list over all active boards that the person is on, the most urgent and oldest first. With `wait` and `since`, the call is held while `version` is `since`; without `since` it is held while the list is empty. `version` is opaque and never comes back; after a restart of the server there is a new one. Items that the person snoozed or dismissed are in neither the list nor its counts.",
  access: "caller",
  callers: callers.people,
  guests: true,
  shape: "wait",
  query: closed({ wait, since: t.Optional(text({ maxLength: 100 })), limit }),
  response: record({
    version: t.String(),
    items: t.Array(AttentionItem),
    counts: AttentionCounts,
    more: t.Boolean(),
    next_wake_at: nullable(Timestamp),
  }),
  errors: [],
});

const ofItem = {
  tag: "attention",
  access: "caller",
  callers: callers.people,
  guests: true,
  replay: "kept",
  params: ItemParams,
  response: AttentionItem,
} as const;

export const snoozeAttention = operation({
  ...ofItem,
  method: "PUT",
  path: "/v1/me/attention/:item/snooze",
  summary: "Hide an item of the list until a time",
  description:
    "`until` is in the future, at most 30 days ahead. If the item's cause ends before that, the item does not come back.",
  body: closed({ until: Timestamp }),
  errors: ["attention_not_found", "snooze_out_of_range"],
});

export const endSnooze = operation({
  ...ofItem,
  method: "DELETE",
  path: "/v1/me/attention/:item/snooze",
  summary: "Show a snoozed item of the list again",
  description: "An item that is not snoozed stays as it is.",
  errors: ["attention_not_found"],
});

export const dismissAttention = operation({
  ...ofItem,
  method: "PUT",
  path: "/v1/me/attention/:item/dismiss",
  summary: "Hide an item of the list for good",
  description:
    "For the kinds that no act of the person ends: `agent_silent`, `agent_waiting`, `agent_late`, `not_delivered`, `mention`, `agents_in_loop`, `added_to_board` and `machine_request`. A new cause makes a new item.",
  errors: ["attention_not_found", "not_dismissable"],
});
