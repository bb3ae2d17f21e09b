import type { CommandEntry } from "./commands.ts";

/** The commands of the group Board. */
export const boardCommands: readonly CommandEntry[] = [
  {
    name: "boards",
    group: "Board",
    summary: "List boards",
    load: () => import("./commands/boards.ts"),
  },
  {
    name: "board new",
    group: "Board",
    summary: "Make a board",
    load: () => import("./commands/board-new.ts"),
  },
  {
    name: "board title",
    group: "Board",
    summary: "Change a board's title",
    load: () => import("./commands/board-title.ts"),
  },
  {
    name: "board prefix",
    group: "Board",
    summary: "Change the prefix of a board's task references",
    load: () => import("./commands/board-prefix.ts"),
  },
  {
    name: "board policy",
    group: "Board",
    summary: "Change what agents may read and do on a board",
    load: () => import("./commands/board-policy.ts"),
  },
  {
    name: "board people",
    group: "Board",
    summary: "List the people on a board",
    load: () => import("./commands/board-people.ts"),
  },
  {
    name: "board add",
    group: "Board",
    summary: "Add a person to a board",
    load: () => import("./commands/board-add.ts"),
  },
  {
    name: "board remove",
    group: "Board",
    summary: "Take a person off a board",
    load: () => import("./commands/board-remove.ts"),
  },
  {
    name: "board leave",
    group: "Board",
    summary: "Leave a board, as a person",
    load: () => import("./commands/board-leave.ts"),
  },
  {
    name: "board owner",
    group: "Board",
    summary: "Make a person an owner of a board",
    load: () => import("./commands/board-owner.ts"),
  },
  {
    name: "board agents-add-people",
    group: "Board",
    summary: "Say whether agents may add people to a board",
    load: () => import("./commands/board-agents-add-people.ts"),
  },
  {
    name: "board visibility",
    group: "Board",
    summary: "Open a board to everybody on the server, or make it private",
    load: () => import("./commands/board-visibility.ts"),
  },
  {
    name: "board open",
    group: "Board",
    summary: "Open a board to everybody on the server",
    load: () => import("./commands/board-open.ts"),
  },
  {
    name: "board private",
    group: "Board",
    summary: "Make a board private",
    load: () => import("./commands/board-private.ts"),
  },
  {
    name: "board archive",
    group: "Board",
    summary: "Archive a board: it stays readable, and nothing is written to it",
    load: () => import("./commands/board-archive.ts"),
  },
  {
    name: "board restore",
    group: "Board",
    summary: "Restore an archived board",
    load: () => import("./commands/board-restore.ts"),
  },
  {
    name: "board delete",
    group: "Board",
    summary: "Delete an archived board for good",
    load: () => import("./commands/board-delete.ts"),
  },
  {
    name: "agent remove",
    group: "Board",
    summary: "Remove an agent from its board for good",
    load: () => import("./commands/agent-remove.ts"),
  },
  {
    name: "agent prune",
    group: "Board",
    summary: "Remove agents that have had no session for long",
    load: () => import("./commands/agent-prune.ts"),
  },
  {
    name: "people",
    group: "Board",
    summary: "List the people on the server",
    load: () => import("./commands/people.ts"),
  },
  {
    name: "people role",
    group: "Board",
    summary: "Make a person an admin or a member of the server",
    load: () => import("./commands/people-role.ts"),
  },
  {
    name: "people rename",
    group: "Board",
    summary: "Change a person's handle",
    load: () => import("./commands/people-rename.ts"),
  },
  {
    name: "people remove",
    group: "Board",
    summary: "Remove a person from the server for good",
    load: () => import("./commands/people-remove.ts"),
  },
  {
    name: "audit verify",
    group: "Board",
    summary: "Check that a board's log was not changed",
    load: () => import("./commands/audit-verify.ts"),
  },
];
