import { nullable, oneOf, record, text } from "./schema.ts";
import { MemberName, TaskId, TaskReference, Timestamp } from "./scalars.ts";

/** What an agent's presence and its line come to. */
export const AgentState = oneOf("working", "paused", "late", "waiting", "idle", "disconnected");

const TaskRef = record({
  id: TaskId,
  ref: TaskReference,
  title: text({ minLength: 1, maxLength: 120 }),
});

/** What an agent says that it is doing, or until when it pauses. */
export const AgentLine = record({
  kind: oneOf("working", "paused"),
  text: text({ maxLength: 120 }),
  until: nullable(Timestamp),
  task: nullable(TaskRef),
  set_by: MemberName,
  source: oneOf("command", "task", "plan"),
  at: Timestamp,
});
