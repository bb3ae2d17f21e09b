import { longestGoingWith, longestOption, mostOptions } from "./limits.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { MemberId, MemberRef, MessageId, Seq, TaskId, Timestamp } from "./scalars.ts";
import { TaskRef } from "./tasks.ts";

/** The state of an ask. It is computed from its answers and the clock, and never stored. */
export const AskState = oneOf("open", "answered", "withdrawn", "went_with");

/** The ask of a message. */
export const MessageAsk = record({
  to: MemberRef,
  options: t.Array(t.String()),
  blocking: t.Boolean(),
  going_with: nullable(t.String()),
  going_at: nullable(Timestamp),
  task: nullable(TaskRef),
  state: AskState,
  answer_seq: nullable(Seq),
  answer_option: nullable(t.Integer({ minimum: 1 })),
  approval: t.Optional(t.Literal(true)),
  can_answer: t.Boolean(),
  can_withdraw: t.Boolean(),
});

/** The answer or withdrawal in a message. */
export const MessageAnswer = record({
  ask_id: MessageId,
  ask_seq: Seq,
  option: nullable(t.Integer({ minimum: 1 })),
  option_text: nullable(t.String()),
  withdrawn: t.Boolean(),
});

/** An ask in the body of a post. */
export const AskRequest = closed({
  options: t.Optional(
    t.Array(text({ minLength: 1, maxLength: longestOption }), { maxItems: mostOptions }),
  ),
  going_with: t.Optional(text({ minLength: 1, maxLength: longestGoingWith })),
  going_at: t.Optional(Timestamp),
  approval: t.Optional(t.Boolean({ default: false })),
});
/** An answer or a withdrawal in the body of a post. */
export const AnswerRequest = closed({
  option: t.Optional(t.Integer({ minimum: 1, maximum: mostOptions })),
  withdrawn: t.Optional(t.Boolean({ default: false })),
});

/** The ask in the event of a message. */
export const RecordedAsk = closed({
  to: MemberId,
  options: t.Array(t.String()),
  blocking: t.Boolean(),
  going_with: nullable(t.String()),
  going_at: nullable(Timestamp),
  task_id: nullable(TaskId),
  approval: t.Optional(t.Literal(true)),
});
/** The answer in the event of a message. */
export const RecordedAnswer = closed({
  ask_id: MessageId,
  option: nullable(t.Integer({ minimum: 1 })),
  withdrawn: t.Boolean(),
});
