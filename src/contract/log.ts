import { RecordedAnswer, RecordedAsk } from "./ask.ts";
import { Policy, Roles } from "./boards.ts";
import { FileRef } from "./file-record.ts";
import { fileEvents } from "./file-events.ts";
import { Mention, ReactionName, Redaction } from "./message.ts";
import { reactions } from "./words.ts";
import { closed, nullable, oneOf, record, t } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import {
  Actor,
  after,
  before,
  BackupName,
  BoardId,
  BoardName,
  BoardParams,
  BoardTitle,
  BoardVisibility,
  Count,
  DelegationId,
  DeliveryMode,
  EventId,
  Handle,
  Hash,
  JoinCodeId,
  limit,
  newest,
  pageEnds,
  MemberId,
  MemberKind,
  MemberName,
  MessageId,
  PersonId,
  RoleName,
  Seq,
  ServerGeneration,
  Target,
  TaskId,
  TaskPrefix,
  TaskReference,
  Timestamp,
} from "./scalars.ts";
import { TaskTag } from "./tasks.ts";
import type { Static } from "@sinclair/typebox";

function makeEventTypes() {
  const endedSeat = {
    member_id: MemberId,
    name: MemberName,
    person_id: PersonId,
    owner: t.String(),
    removed_by: oneOf("person", "board_owner", "admin", "self"),
  };
  /** The delegation of a machine by which somebody joined. */
  const delegated = {
    via: t.Optional(t.Literal("delegation")),
    delegation_id: t.Optional(DelegationId),
  };
  const membership = { member_id: MemberId, person_id: PersonId, name: MemberName };
  const lifecycle = <B extends string, A extends string>(before: B, after: A) =>
    closed({ person_id: PersonId, before: t.Literal(before), after: t.Literal(after) });
  const reaction = closed({
    message_id: MessageId,
    name: ReactionName,
    emoji: oneOf(...Object.values(reactions)),
  });

  const task = { task_id: TaskId, ref: TaskReference };

  return {
    "board.created": closed({
      board_id: BoardId,
      name: BoardName,
      template: nullable(t.String()),
      charter: t.String(),
      roles: Roles,
      policy: Policy,
      agents_add_people: t.Boolean(),
      title: t.Optional(BoardTitle),
      visibility: t.Optional(t.Literal("private")),
      agent_id: t.Optional(MemberId),
      ...delegated,
    }),
    "board.titled": closed({ before: nullable(BoardTitle), after: nullable(BoardTitle) }),
    "board.policy_changed": closed({
      before: Policy,
      after: Policy,
      preset_applied: nullable(oneOf("starter", "recommended")),
    }),
    "board.agents_add_people_changed": closed({ agents_add_people: t.Boolean() }),
    "board.visibility_changed": closed({
      before: BoardVisibility,
      after: BoardVisibility,
      reveals: nullable(closed({ messages: Count, files: Count })),
      agents_add_people: t.Boolean(),
    }),
    "board.archived": lifecycle("active", "archived"),
    "board.restored": lifecycle("archived", "active"),
    "board.deleted": lifecycle("archived", "deleted"),
    "board.rolled_back": closed({
      generation: ServerGeneration,
      backup: BackupName,
      at: Timestamp,
    }),
    "board.imported": closed({
      origin: t.String(),
      generation: ServerGeneration,
      head: closed({ seq: Seq, hash: Hash }),
      name: BoardName,
    }),
    "board.moved": closed({ server: t.String(), board_id: BoardId }),
    "board.task_prefix_set": closed({ before: nullable(TaskPrefix), after: TaskPrefix }),
    "member.joined": closed({
      member_id: MemberId,
      person_id: PersonId,
      name: MemberName,
      kind: MemberKind,
      role: nullable(RoleName),
      owner: nullable(t.String()),
      harness: nullable(t.String()),
      access: nullable(oneOf("admin", "member")),
      join_code_id: nullable(JoinCodeId),
      ...delegated,
      guest: t.Optional(t.Literal(true)),
    }),
    "person.added": closed({
      member_id: MemberId,
      person_id: PersonId,
      name: MemberName,
      access: t.Literal("member"),
      rejoined: t.Boolean(),
      by_owner: t.Optional(PersonId),
      ...delegated,
    }),
    "person.renamed": closed({
      person_id: PersonId,
      member_id: MemberId,
      before: Handle,
      after: Handle,
    }),
    "person.removed": closed({
      ...membership,
      agents: t.Array(MemberId),
      from_server: t.Optional(t.Literal(true)),
    }),
    "person.left": closed({ ...membership, agents: t.Array(MemberId) }),
    "person.made_owner": closed({
      ...membership,
      reason: t.Optional(t.Literal("owner_removed_from_server")),
    }),
    "agent.removed": closed({
      ...endedSeat,
      pruned: t.Optional(t.Literal(true)),
      disconnected_since: t.Optional(Timestamp),
    }),
    "agent.left": closed(endedSeat),
    "agent.delivery_changed": closed({
      member_id: MemberId,
      name: MemberName,
      before: DeliveryMode,
      after: DeliveryMode,
    }),
    "joincode.created": closed({
      join_code_id: JoinCodeId,
      role: RoleName,
      expires_at: Timestamp,
      kind: t.Optional(t.Literal("guest")),
      guest: t.Optional(Handle),
      guest_id: t.Optional(nullable(PersonId)),
    }),
    "joincode.revoked": closed({ join_code_id: JoinCodeId }),
    "message.posted": closed({
      message_id: MessageId,
      to: t.Array(Target),
      body: t.String(),
      reply_to: nullable(MessageId),
      urgent: t.Boolean(),
      expects_reply: t.Boolean(),
      quiet: t.Optional(t.Literal(true)),
      damped: t.Optional(t.Array(MemberId)),
      ring: t.Optional(t.Literal(true)),
      redactions: t.Array(Redaction),
      mentions: t.Array(Mention),
      recipients: t.Optional(t.Array(MemberId)),
      about: t.Optional(t.Array(TaskTag)),
      ask: t.Optional(RecordedAsk),
      answer: t.Optional(RecordedAnswer),
      files: t.Optional(t.Array(FileRef)),
    }),
    "ask.withdrawn": closed({ ask_id: MessageId }),
    "reaction.added": reaction,
    "reaction.removed": reaction,
    "task.created": closed({
      ...task,
      number: t.Integer({ minimum: 1 }),
      title: t.String(),
      about: nullable(t.String()),
    }),
    "task.started": closed({
      ...task,
      member_id: MemberId,
      previous_owner: nullable(MemberId),
      reselected: t.Optional(t.Literal(true)),
    }),
    "task.joined": closed({
      ...task,
      member_id: MemberId,
      reselected: t.Optional(t.Literal(true)),
    }),
    "task.updated": closed({
      ...task,
      title: t.Optional(t.String()),
      about: t.Optional(t.String()),
      stands: t.Optional(t.String()),
      stands_version: t.Optional(t.Integer({ minimum: 1 })),
    }),
    "task.done": closed({ ...task, note: t.String(), cancelled: t.Boolean() }),
    "task.dropped": closed({
      ...task,
      member_id: MemberId,
      as: oneOf("owner", "helper"),
      reason: nullable(t.String()),
      by: oneOf("self", "person", "seat_ended"),
    }),
    ...fileEvents(),
  } as const;
}

type EventTypes = ReturnType<typeof makeEventTypes>;
let made: EventTypes | undefined;

/**
 * Every type of event in a board's log, with the exact shape of its data: null and absent are different. They are made when
 * they are first asked for: no start of a server needs them.
 */
export const eventTypes = (): EventTypes => (made ??= makeEventTypes());

export type EventType = keyof EventTypes;
export type EventData<T extends EventType> = Static<EventTypes[T]>;
export type Actor = Static<typeof Actor>;

/** One entry of a board's log. `data` is left out exactly when the reader may not see it; the hashes never are. */
export const EventEnvelope = record({
  id: EventId,
  board_id: BoardId,
  seq: Seq,
  type: t.String(),
  at: Timestamp,
  actor: Actor,
  data: t.Optional(t.Record(t.String(), t.Unknown())),
  data_withheld: t.Optional(t.Literal(true)),
  origin: t.Optional(t.String()),
  data_hash: Hash,
  prev_hash: Hash,
  hash: Hash,
});

export const listEvents = operation({
  method: "GET",
  path: "/v1/boards/:board/events",
  tag: "events",
  summary: "Read a board's hash-chained log, oldest first",
  description:
    "Each event's `hash` covers its header, and the header covers the hash of its data and of the event before. `origin` is beside the hashed header: the server of who caused the event, or of whom the system ended, if they stayed on another one. Data that the caller may not read is left out and marked `data_withheld`; the chain can still be verified. `newest=true` fills the page from the newest events. Pass `next_after` as `after` to go on, or `prev_before` as `before` with `newest=true` to go back. A page stops at an event that is damaged in storage, and does not have it. Reading on from there, in either direction, is refused, with its `seq` and, as `reason`, what a check finds.",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: BoardParams,
  query: closed({ after, before, newest, limit }),
  response: record({
    board: BoardName,
    events: t.Array(EventEnvelope),
    head_seq: Seq,
    ...pageEnds,
  }),
  errors: ["record_damaged"],
});
