import { AgentLine } from "./agent-line.ts";
import { BriefName } from "./file-record.ts";
import { nullable, record, t } from "./schema.ts";
import { Count, TaskId, TaskReference, Timestamp } from "./scalars.ts";
import { TaskRef, TaskText } from "./tasks.ts";

/** What an agent is working on, for the reminders that clients show. Counts only include what the agent may see. */
export const AgentWork = record({
  current_task: nullable(
    record({
      id: TaskId,
      ref: TaskReference,
      title: t.String(),
      owner: t.Boolean(),
      stands: nullable(TaskText),
    }),
  ),
  open_tasks: Count,
  oldest_open: nullable(TaskRef),
  posts_without_task: Count,
  asks_waiting: Count,
  asks_to_it: Count,
  line: nullable(AgentLine),
  brief: nullable(
    record({
      file_id: t.String(),
      name: BriefName,
      version: t.Integer({ minimum: 1 }),
      at: Timestamp,
      messages_since: Count,
      tasks_done_since: Count,
    }),
  ),
  nudges: t.Boolean(),
});
