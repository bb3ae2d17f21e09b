import type { CommandEntry } from "./commands.ts";

/** The commands of files and of the brief. */
export const fileCommands: readonly CommandEntry[] = [
  {
    name: "file list",
    group: "Board",
    summary: "List a board's files",
    load: () => import("./commands/file-list.ts"),
  },
  {
    name: "file show",
    group: "Board",
    summary: "Show a file: its versions, approvals and where it was posted",
    load: () => import("./commands/file-show.ts"),
  },
  {
    name: "file get",
    group: "Board",
    summary: "Fetch a file",
    load: () => import("./commands/file-get.ts"),
  },
  {
    name: "file put",
    group: "Board",
    summary: "Write a file, or a version on the one you fetched",
    load: () => import("./commands/file-put.ts"),
  },
  {
    name: "file approve",
    group: "Board",
    summary: "Approve a version of a file, as a person",
    load: () => import("./commands/file-approve.ts"),
  },
  {
    name: "file mv",
    group: "Board",
    summary: "Give a file another name",
    load: () => import("./commands/file-mv.ts"),
  },
  {
    name: "file rm",
    group: "Board",
    summary: "Take a file off the board's list",
    load: () => import("./commands/file-rm.ts"),
  },
  {
    name: "brief",
    group: "Board",
    summary: "Read the board's brief",
    load: () => import("./commands/brief.ts"),
  },
  {
    name: "brief get",
    group: "Board",
    summary: "Fetch the brief, to change it",
    load: () => import("./commands/brief-get.ts"),
  },
  {
    name: "brief put",
    group: "Board",
    summary: "Write the brief",
    load: () => import("./commands/brief-put.ts"),
  },
];
