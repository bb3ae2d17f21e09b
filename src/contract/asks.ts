import { Message } from "./message.ts";
import { callers, operation } from "./operation.ts";
import { BoardName, limit, TaskSelector } from "./scalars.ts";
import { closed, oneOf, record, t } from "./schema.ts";

export const listAsks = operation({
  method: "GET",
  path: "/v1/asks",
  tag: "messages",
  summary: "List asks, newest first",
  description:
    "For a person the asks of all boards that they are on, for an agent those of its board, if the caller may read them. Filters combine. With `to_me`, open blocking asks come before the others. The state of an ask follows from its answers and the clock: one that `went_with` its choice can still be answered.",
  access: "caller",
  callers: callers.members,
  guests: true,
  query: closed({
    board: t.Optional(BoardName),
    to_me: t.Optional(t.Boolean({ default: false })),
    from_me: t.Optional(t.Boolean({ default: false })),
    state: t.Optional({
      ...oneOf("open", "answered", "withdrawn", "went_with", "all"),
      default: "open",
    }),
    task: t.Optional(TaskSelector),
    limit,
  }),
  response: record({ asks: t.Array(Message), more: t.Boolean() }),
  errors: [
    "board_not_found",
    "not_on_board",
    "task_not_found",
    "task_unknown",
    "invalid_combination",
  ],
});
