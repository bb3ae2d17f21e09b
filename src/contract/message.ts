import { MessageAnswer, MessageAsk } from "./ask.ts";
import { FileRef } from "./file-record.ts";
import { nullable, oneOf, record, t } from "./schema.ts";
import {
  BoardName,
  Count,
  MemberId,
  MemberKind,
  MemberName,
  MemberRef,
  MessageId,
  Seq,
  Target,
  Timestamp,
} from "./scalars.ts";
import { TaskTag } from "./tasks.ts";
import { reactions } from "./words.ts";

export type ReactionName = keyof typeof reactions;
export const ReactionName = oneOf(...(Object.keys(reactions) as ReactionName[]));

export const Mention = record({
  id: MemberId,
  kind: MemberKind,
  name: MemberName,
  text: t.String(),
  wakes: t.Boolean(),
  reason: nullable(oneOf("limit", "cannot_read")),
});
export const Redaction = record({ kind: t.String(), count: t.Integer({ minimum: 1 }) });

export const Message = record({
  id: MessageId,
  board: BoardName,
  seq: Seq,
  at: Timestamp,
  from: MemberRef,
  to: t.Array(Target),
  body: t.String(),
  reply_to: nullable(MessageId),
  reply_to_seq: nullable(Seq),
  reply_to_from: nullable(MemberName),
  thread_root: nullable(MessageId),
  thread_root_seq: nullable(Seq),
  reply_count: Count,
  last_reply_at: nullable(Timestamp),
  urgent: t.Boolean(),
  expects_reply: t.Boolean(),
  quiet: t.Optional(t.Literal(true)),
  damped: t.Optional(t.Array(MemberId)),
  ring: t.Optional(t.Literal(true)),
  sender: oneOf("self", "owner", "owner_agent", "other_person", "other_agent"),
  show_owner: t.Boolean(),
  reactions: t.Array(
    record({
      name: ReactionName,
      emoji: t.String(),
      count: t.Integer({ minimum: 1 }),
      by: t.Array(MemberName),
      mine: t.Boolean(),
    }),
  ),
  mentions: t.Array(Mention),
  redactions: t.Array(Redaction),
  about: t.Optional(t.Array(TaskTag)),
  ask: t.Optional(MessageAsk),
  answer: t.Optional(MessageAnswer),
  midturn_peer_sender_id: t.Optional(MemberId),
  files: t.Optional(t.Array(FileRef)),
});
