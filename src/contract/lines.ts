import { Member } from "./joining.ts";
import { closed, oneOf, t, text } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import { BoardName, TaskSelector, Timestamp } from "./scalars.ts";

/** The body that sets a status line. The source `task` is missing: only the server sets a line with it. */
const SetLineRequest = closed({
  kind: oneOf("working", "paused"),
  text: text({ minLength: 1, maxLength: 120 }),
  until: t.Optional(Timestamp),
  task: t.Optional(TaskSelector),
  source: t.Optional({ ...oneOf("command", "plan"), default: "command" }),
});

const OwnAgentParams = t.Object({
  board: BoardName,
  member: text({ minLength: 1, maxLength: 64 }),
});
const errorsOfSetting = ["invalid_combination", "line_until_past", "task_not_found"] as const;

export const setLine = operation({
  method: "PUT",
  path: "/v1/me/line",
  tag: "inbox",
  summary: "Say what an agent is doing, or until when it pauses",
  description:
    "The line that was set last applies, whoever or whatever set it; starting a task sets one too. Setting the same line again only renews it. It is about `task`, else about the agent's current task, and is cleared when that task is closed or the agent drops its part of it. A `paused` line needs `until`, and makes the agent `late` once that time has passed.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  replay: "kept",
  body: SetLineRequest,
  response: Member,
  errors: errorsOfSetting,
});

export const clearLine = operation({
  method: "DELETE",
  path: "/v1/me/line",
  tag: "inbox",
  summary: "Clear an agent's status line",
  description: "Without a line nothing changes.",
  access: "seat",
  callers: callers.agents,
  guests: true,
  replay: "kept",
  response: Member,
  errors: [],
});

export const setMemberLine = operation({
  method: "PUT",
  path: "/v1/boards/:board/members/:member/line",
  tag: "inbox",
  summary: "Say what one of the caller's agents is doing, or until when it pauses",
  description: "As the agent itself does it; `set_by` names the person.",
  access: "on-board",
  callers: callers.people,
  guests: true,
  replay: "kept",
  params: OwnAgentParams,
  body: SetLineRequest,
  response: Member,
  errors: ["agent_not_found", "agent_owner_required", ...errorsOfSetting],
});

export const clearMemberLine = operation({
  method: "DELETE",
  path: "/v1/boards/:board/members/:member/line",
  tag: "inbox",
  summary: "Clear the status line of one of the caller's agents",
  description: "Without a line nothing changes.",
  access: "on-board",
  callers: callers.people,
  guests: true,
  replay: "kept",
  params: OwnAgentParams,
  response: Member,
  errors: ["agent_not_found", "agent_owner_required"],
});
