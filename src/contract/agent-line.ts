import { nullable, oneOf, record, text } from "./schema.ts";
import { MemberName, Timestamp } from "./scalars.ts";
import { TaskRef } from "./tasks.ts";

/** One word for an agent's presence and status line together. */
export const AgentState = oneOf("working", "paused", "late", "waiting", "idle", "disconnected");

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
