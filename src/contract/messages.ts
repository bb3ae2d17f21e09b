import {
  greatestSeq,
  longestMessage,
  mostFilesAttached,
  mostTargets,
  mostTasksAbout,
} from "./limits.ts";
import { AnswerRequest, AskRequest } from "./ask.ts";
import { QueuedReceipt } from "./delivery-queue.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { Message, ReactionName } from "./message.ts";
import { FileVersionSelector } from "./file-record.ts";
import { callers, operation } from "./operation.ts";
import {
  after,
  before,
  BoardName,
  BoardParams,
  limit,
  newest,
  pageEnds,
  MemberName,
  MemberRef,
  MessageId,
  Presence,
  RoleName,
  Seq,
  Target,
  TaskSelector,
  wait,
} from "./scalars.ts";

const MessageParams = t.Object({ message: MessageId });

export const postMessage = operation({
  method: "POST",
  path: "/v1/boards/:board/messages",
  tag: "messages",
  summary: "Post a message",
  description:
    "Answered as soon as it is stored; delivery follows. Without `to` a message goes to `all`, and a reply goes to the others in its thread, by name. `@name` and `@role:name` in the text mention members without widening who may read it. Without `about` it is about the tasks of the message it answers, else about its sender's current task; tasks that the text names by their reference are added. With `ask` it asks one member, and always expects a reply; an agent that names nobody asks its own person. A reply by the member asked, or by the asking agent's person, answers the ask, with or without `answer`; only the asker withdraws it. A `quiet` message wakes nobody. The answer names as `damped` the agents that this message does not wake because they and its sender have only been waking each other.",
  success: 201,
  access: "on-board",
  callers: callers.members,
  guests: true,
  permission: "post",
  lifecycle: "active",
  limit: "posting",
  replay: "kept",
  params: BoardParams,
  body: closed({
    body: text({ minLength: 1, maxLength: longestMessage, tooLong: "message_too_large" }),
    to: t.Optional(t.Array(Target, { minItems: 1, maxItems: mostTargets })),
    reply_to: t.Optional(MessageId),
    urgent: t.Optional(t.Boolean({ default: false })),
    expects_reply: t.Optional(t.Boolean({ default: false })),
    quiet: t.Optional(t.Boolean({ default: false })),
    about: t.Optional(t.Array(TaskSelector, { maxItems: mostTasksAbout })),
    ask: t.Optional(AskRequest),
    answer: t.Optional(AnswerRequest),
    files: t.Optional(t.Array(FileVersionSelector, { maxItems: mostFilesAttached })),
  }),
  response: Message,
  errors: [
    "message_not_found",
    "broadcast_not_allowed",
    "urgent_not_allowed",
    "invalid_target",
    "unknown_recipient",
    "role_unknown",
    "reply_has_no_recipients",
    "task_not_found",
    "file_not_found",
    "version_not_found",
    "invalid_combination",
    "ask_invalid",
    "not_asked",
    "ask_closed",
  ],
});

export const listMessages = operation({
  method: "GET",
  path: "/v1/boards/:board/messages",
  tag: "messages",
  summary: "Read a board's messages, oldest first",
  description:
    "`newest=true` fills the page from the newest matches. Filters combine. Pass `next_after` as `after` to go on, or `prev_before` as `before` with `newest=true` to go back. Reading never moves a read position.",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: BoardParams,
  query: closed({
    after,
    before,
    newest,
    from: t.Optional(MemberName),
    role: t.Optional(RoleName),
    to_me: t.Optional(t.Boolean({ default: false })),
    task: t.Optional(TaskSelector),
    limit,
  }),
  response: record({
    board: BoardName,
    messages: t.Array(Message),
    ...pageEnds,
  }),
  errors: ["member_not_found", "role_not_found", "task_not_found"],
});

export const getReceipts = operation({
  method: "GET",
  path: "/v1/boards/:board/messages/:seq/receipts",
  tag: "messages",
  summary: "Read whom a message has reached",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: t.Object({ board: BoardName, seq: t.Integer({ minimum: 1, maximum: greatestSeq }) }),
  response: record({
    board: BoardName,
    seq: Seq,
    message_id: MessageId,
    to: t.Array(Target),
    to_everyone: t.Boolean(),
    available: t.Boolean(),
    recipients: t.Array(
      record({
        member: MemberRef,
        state: oneOf("pending", "received", "read"),
        presence: nullable(Presence),
        queued: t.Optional(QueuedReceipt),
        midturn_hint: t.Optional(oneOf("peer_if_supported", "owner_only")),
      }),
    ),
  }),
  errors: ["message_not_found"],
});

export const getMessage = operation({
  method: "GET",
  path: "/v1/messages/:message",
  tag: "messages",
  summary: "Read one message, and what each agent that it was addressed to has done with it",
  access: "reads-message",
  callers: callers.members,
  guests: true,
  params: MessageParams,
  response: record({
    message: Message,
    recipients: t.Array(
      record({
        member: MemberRef,
        state: oneOf("pending", "received", "replied"),
        reply_ids: t.Array(MessageId),
      }),
    ),
  }),
  errors: [],
});

export const listReplies = operation({
  method: "GET",
  path: "/v1/messages/:message/replies",
  tag: "messages",
  summary: "Read the replies of a message's thread, or wait for the next",
  description:
    "`message` may be any message of the thread. With `wait` and nothing to return, the answer is held until a reply arrives or the time is up.",
  access: "reads-message",
  callers: callers.members,
  guests: true,
  shape: "wait",
  params: MessageParams,
  query: closed({ after, limit, wait }),
  response: record({
    message_id: MessageId,
    root: nullable(Message),
    replies: t.Array(Message),
    next_after: nullable(Seq),
  }),
  errors: [],
});

const reactionParams = t.Object({ message: MessageId, reaction: ReactionName });

export const addReaction = operation({
  method: "PUT",
  path: "/v1/messages/:message/reactions/:reaction",
  tag: "messages",
  summary: "React to a message",
  description: "Once per member and reaction; a repeat changes nothing. It wakes nobody.",
  access: "reads-message",
  callers: callers.members,
  guests: true,
  lifecycle: "active",
  replay: "kept",
  params: reactionParams,
  response: Message,
  errors: [],
});

export const removeReaction = operation({
  method: "DELETE",
  path: "/v1/messages/:message/reactions/:reaction",
  tag: "messages",
  summary: "Remove the caller's reaction",
  access: "reads-message",
  callers: callers.members,
  guests: true,
  lifecycle: "active",
  replay: "kept",
  params: reactionParams,
  response: Message,
  errors: [],
});

export const listThreads = operation({
  method: "GET",
  path: "/v1/boards/:board/threads",
  tag: "messages",
  summary: "List the threads that have replies, newest reply first",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: BoardParams,
  query: closed({ limit }),
  response: record({
    board: BoardName,
    threads: t.Array(record({ root: Message, participants: t.Array(MemberName) })),
    more: t.Boolean(),
  }),
  errors: [],
});
