import { longestDropReason, longestTaskAbout, longestTaskNote } from "./limits.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import {
  before,
  BoardName,
  BoardParams,
  Count,
  limit,
  MemberName,
  MemberRef,
  newest,
  Seq,
  TaskId,
  TaskReference,
  TaskSelector,
  Timestamp,
} from "./scalars.ts";

export const TaskState = oneOf("open", "in_progress", "done", "cancelled");
const TaskTitle = text({ minLength: 1, maxLength: 120 });

/** A task as others name it. */
export const TaskRef = record({ id: TaskId, ref: TaskReference, title: TaskTitle });

/** A task that a message is about, and how it came to be: `thread` from the message answered, `current` from its sender's task. */
export const TaskTag = record({
  id: TaskId,
  ref: TaskReference,
  how: oneOf("given", "thread", "current", "named"),
});

export const TaskText = record({
  text: t.String(),
  by: MemberRef,
  at: Timestamp,
  version: t.Integer({ minimum: 1 }),
  messages_since: Count,
});

export const BlockedOn = record({
  ask_id: t.String(),
  ask_seq: Seq,
  to: MemberRef,
  from: MemberRef,
  since: Timestamp,
});

export const Task = record({
  id: TaskId,
  ref: TaskReference,
  number: t.Integer({ minimum: 1 }),
  board: BoardName,
  title: TaskTitle,
  about: nullable(TaskText),
  stands: nullable(TaskText),
  state: TaskState,
  owner: nullable(MemberRef),
  with: t.Array(MemberRef),
  blocked: t.Boolean(),
  blocked_count: Count,
  blocked_on: t.Array(BlockedOn),
  opened_by: MemberRef,
  opened_at: Timestamp,
  updated_at: Timestamp,
  message_count: Count,
  thread_count: Count,
  closed_at: nullable(Timestamp),
  closed_note: nullable(t.String()),
});

const TaskParams = t.Object({ board: BoardName, task: TaskSelector });
const TaskAbout = text({ maxLength: longestTaskAbout });

export const listTasks = operation({
  method: "GET",
  path: "/v1/boards/:board/tasks",
  tag: "tasks",
  summary: "List a board's tasks",
  description:
    "Tasks that nobody owns, then those in progress, then the closed ones, each group oldest first. Filters combine; `counts` are those of the whole board. To read a list that one page does not hold, ask with `newest=true`, and go on with the smallest number of each page as `before`.",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: BoardParams,
  query: closed({
    state: t.Optional({
      ...oneOf("active", "open", "in_progress", "done", "cancelled", "all"),
      default: "active",
    }),
    owner: t.Optional(MemberName),
    mine: t.Optional(t.Boolean({ default: false })),
    before,
    newest,
    limit,
  }),
  response: record({
    board: BoardName,
    tasks: t.Array(Task),
    counts: record({
      open: Count,
      in_progress: Count,
      done: Count,
      cancelled: Count,
      blocked: Count,
    }),
    more: t.Boolean(),
  }),
  errors: ["member_not_found"],
});

export const createTask = operation({
  method: "POST",
  path: "/v1/boards/:board/tasks",
  tag: "tasks",
  summary: "Open a task",
  description:
    "It gets the board's next number under the board's task prefix; the first task of a board without a prefix sets one, made from the board's name. An agent needs the `create_tasks` permission, and with `start`, which does what starting the task does, also `claim_tasks`.",
  success: 201,
  access: "on-board",
  callers: callers.members,
  permission: "create_tasks",
  permissionWith: { start: "claim_tasks" },
  lifecycle: "active",
  replay: "kept",
  params: BoardParams,
  body: closed({
    title: TaskTitle,
    about: t.Optional(TaskAbout),
    start: t.Optional(t.Boolean({ default: false })),
  }),
  response: Task,
  errors: ["task_prefix_taken", "invalid_combination"],
});

export const getTask = operation({
  method: "GET",
  path: "/v1/boards/:board/tasks/:task",
  tag: "tasks",
  summary: "Read one task",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: TaskParams,
  response: Task,
  errors: ["task_not_found"],
});

/** What the operations that change one task have in common. */
const change = {
  tag: "tasks",
  access: "on-board",
  callers: callers.members,
  lifecycle: "active",
  replay: "kept",
  params: TaskParams,
  response: Task,
} as const;

export const updateTask = operation({
  ...change,
  method: "PATCH",
  path: "/v1/boards/:board/tasks/:task",
  summary: "Change a task's title, what it is about, or where it stands",
  description:
    "All parts of a request change together or not at all. Title and `about` can be changed by the member who opened the task and by its owner, `stands` by its owner and helpers, and all of them by people on the board.",
  body: closed(
    {
      title: t.Optional(TaskTitle),
      about: t.Optional(TaskAbout),
      stands: t.Optional(text({ minLength: 1, maxLength: longestTaskNote })),
      stands_base: t.Optional(Count),
    },
    { minProperties: 1 },
  ),
  errors: [
    "task_not_found",
    "task_closed",
    "task_not_yours",
    "stands_changed",
    "invalid_combination",
  ],
});

export const startTask = operation({
  ...change,
  method: "POST",
  path: "/v1/boards/:board/tasks/:task/start",
  summary: "Take a task as its owner",
  description:
    "Of any number of callers exactly one gets it. An agent needs the `claim_tasks` permission. The task becomes its current one, and its status line says that it works on it. The same happens with a task that it already owns, unless that is its current one.",
  permission: "claim_tasks",
  errors: ["task_not_found", "task_closed", "task_taken"],
});

export const joinTask = operation({
  ...change,
  method: "POST",
  path: "/v1/boards/:board/tasks/:task/join",
  summary: "Help with a task",
  description:
    "An agent needs the `claim_tasks` permission, and the task becomes its current one, even if the agent was already on it.",
  permission: "claim_tasks",
  errors: ["task_not_found", "task_closed"],
});

export const finishTask = operation({
  ...change,
  method: "POST",
  path: "/v1/boards/:board/tasks/:task/done",
  summary: "Close a task, done or cancelled",
  description:
    "For its owner and for people on the board. It stops being the current task of everyone on it, and status lines about it are cleared.",
  body: closed({
    note: text({ minLength: 1, maxLength: longestTaskNote }),
    cancelled: t.Optional(t.Boolean({ default: false })),
  }),
  errors: ["task_not_found", "task_closed", "task_not_yours", "invalid_combination"],
});

export const dropTask = operation({
  ...change,
  method: "POST",
  path: "/v1/boards/:board/tasks/:task/drop",
  summary: "Drop a part of a task",
  description:
    "A task whose owner drops it is open again; its helpers stay. A person on the board may name any `member` of the task; an agent drops its own part alone. The agent's status line is cleared if it is about the task.",
  body: closed({
    member: t.Optional(MemberName),
    reason: t.Optional(text({ maxLength: longestDropReason })),
  }),
  bodyOptional: true,
  errors: ["task_not_found", "task_closed", "not_on_task", "task_not_yours", "member_not_found"],
});
