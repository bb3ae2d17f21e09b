import type { CommandEntry } from "./commands.ts";

/** The commands of tasks. */
export const taskCommands: readonly CommandEntry[] = [
  {
    name: "task list",
    group: "Board",
    summary: "List a board's tasks",
    load: () => import("./commands/task-list.ts"),
  },
  {
    name: "task show",
    group: "Board",
    summary: "Show a task and where it stands",
    load: () => import("./commands/task-show.ts"),
  },
  {
    name: "task new",
    group: "Board",
    summary: "Open a task",
    load: () => import("./commands/task-new.ts"),
  },
  {
    name: "task start",
    group: "Board",
    summary: "Take a task as its owner",
    load: () => import("./commands/task-start.ts"),
  },
  {
    name: "task join",
    group: "Board",
    summary: "Help with a task",
    load: () => import("./commands/task-join.ts"),
  },
  {
    name: "task note",
    group: "Board",
    summary: "Say where a task stands",
    load: () => import("./commands/task-note.ts"),
  },
  {
    name: "task done",
    group: "Board",
    summary: "Close a task, done or cancelled",
    load: () => import("./commands/task-done.ts"),
  },
  {
    name: "task drop",
    group: "Board",
    summary: "Give your part of a task up",
    load: () => import("./commands/task-drop.ts"),
  },
];
