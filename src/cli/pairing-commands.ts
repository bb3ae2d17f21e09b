import type { CommandEntry } from "./commands.ts";

/** The commands of pairing requests, and of what lets agents make them. */
export const pairingCommands: readonly CommandEntry[] = [
  {
    name: "pairing",
    group: "Board",
    summary: "List your pairing requests",
    load: () => import("./commands/pairing-list.ts"),
  },
  {
    name: "pairing list",
    group: "Board",
    summary: "List your pairing requests",
    load: () => import("./commands/pairing-list.ts"),
  },
  {
    name: "pairing show",
    group: "Board",
    summary: "Show a pairing request and what it waits for",
    load: () => import("./commands/pairing-show.ts"),
  },
  {
    name: "pairing request",
    group: "Board",
    summary: "Ask that a session of a person works with an agent of yours",
    load: () => import("./commands/pairing-request.ts"),
  },
  {
    name: "pairing accept",
    group: "Board",
    summary: "Answer a pairing request with this session",
    load: () => import("./commands/pairing-accept.ts"),
  },
  {
    name: "pairing select",
    group: "Board",
    summary: "Make this session your side of a pairing request that you made",
    load: () => import("./commands/pairing-select.ts"),
  },
  {
    name: "pairing decline",
    group: "Board",
    summary: "Decline a pairing request",
    load: () => import("./commands/pairing-decline.ts"),
  },
  {
    name: "pairing cancel",
    group: "Board",
    summary: "Take back a pairing request",
    load: () => import("./commands/pairing-cancel.ts"),
  },
  {
    name: "allowance",
    group: "Maintain",
    summary: "Show or set what your agents may do by themselves",
    load: () => import("./commands/allowance.ts"),
  },
];
