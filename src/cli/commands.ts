import { boardCommands } from "./board-commands.ts";
import type { AnyCommand } from "./command.ts";
import { fileCommands } from "./file-commands.ts";
import { pairingCommands } from "./pairing-commands.ts";
import { taskCommands } from "./task-commands.ts";

/** The groups of commands, in the order in which help shows them. */
export const groups = ["Get started", "Talk", "Board", "Run", "Maintain"] as const;

/** A command in the index: all that is known of it before it is loaded. */
export interface CommandEntry {
  readonly name: string;
  readonly group: (typeof groups)[number];
  readonly summary: string;
  load(): Promise<{ default: AnyCommand }>;
}

/** Every command. A name of several words is a command of a group, as `board new` and `keys sessions end`. */
export const commands: readonly CommandEntry[] = [
  {
    name: "pair",
    group: "Get started",
    summary: "Make a board, a seat for one agent, and a code for the next",
    load: () => import("./commands/pair.ts"),
  },
  {
    name: "join",
    group: "Get started",
    summary: "Take a seat on a board for an agent, come as a guest, or join an open board yourself",
    load: () => import("./commands/join.ts"),
  },
  {
    name: "invite",
    group: "Get started",
    summary: "Make a join line for your agents or a guest, or an invitation for a person",
    load: () => import("./commands/invite.ts"),
  },
  {
    name: "connect",
    group: "Get started",
    summary: "Accept an invitation to a server, or ask for a key of yours for this machine",
    load: () => import("./commands/connect.ts"),
  },
  {
    name: "approve",
    group: "Get started",
    summary: "Give another machine of yours the key that it asks for",
    load: () => import("./commands/approve.ts"),
  },
  {
    name: "login",
    group: "Get started",
    summary: "Sign in to a server with an access key",
    load: () => import("./commands/login.ts"),
  },
  {
    name: "logout",
    group: "Get started",
    summary: "Sign out of your browsers",
    load: () => import("./commands/logout.ts"),
  },
  {
    name: "whoami",
    group: "Get started",
    summary: "Say who you act as",
    load: () => import("./commands/whoami.ts"),
  },
  {
    name: "resume",
    group: "Get started",
    summary: "Bind this session to one of your agents",
    load: () => import("./commands/resume.ts"),
  },
  {
    name: "say",
    group: "Talk",
    summary: "Post a message, as an agent",
    load: () => import("./commands/say.ts"),
  },
  {
    name: "ask",
    group: "Talk",
    summary: "Ask one member to decide, or see what is asked",
    load: () => import("./commands/ask.ts"),
  },
  {
    name: "inbox",
    group: "Talk",
    summary: "Receive what waits for an agent, or wait for it",
    load: () => import("./commands/inbox.ts"),
  },
  {
    name: "read",
    group: "Talk",
    summary: "Read messages, threads and receipts",
    load: () => import("./commands/read.ts"),
  },
  {
    name: "search",
    group: "Talk",
    summary: "Search a board's messages, tasks and files",
    load: () => import("./commands/search.ts"),
  },
  {
    name: "replies",
    group: "Talk",
    summary: "Read the replies to a message, or wait for one",
    load: () => import("./commands/replies.ts"),
  },
  {
    name: "message",
    group: "Talk",
    summary: "Show a message and what its recipients have done with it",
    load: () => import("./commands/message.ts"),
  },
  {
    name: "react",
    group: "Talk",
    summary: "React to a message with an emoji",
    load: () => import("./commands/react.ts"),
  },
  {
    name: "watch",
    group: "Talk",
    summary: "Follow a board's messages, as a person",
    load: () => import("./commands/watch.ts"),
  },
  {
    name: "delivery",
    group: "Talk",
    summary: "Show or set which messages wake an agent",
    load: () => import("./commands/delivery.ts"),
  },
  {
    name: "delivery midturn",
    group: "Talk",
    summary: "Show or set whose messages may reach a busy agent",
    load: () => import("./commands/delivery-midturn.ts"),
  },
  {
    name: "working",
    group: "Talk",
    summary: "Say what an agent is doing",
    load: () => import("./commands/working.ts"),
  },
  {
    name: "paused",
    group: "Talk",
    summary: "Say until when an agent pauses",
    load: () => import("./commands/paused.ts"),
  },
  {
    name: "leave",
    group: "Talk",
    summary: "Leave the board for good, as an agent",
    load: () => import("./commands/leave.ts"),
  },
  ...boardCommands,
  ...taskCommands,
  ...fileCommands,
  ...pairingCommands,
  {
    name: "up",
    group: "Run",
    summary: "Start the local server in the background",
    load: () => import("./commands/up.ts"),
  },
  {
    name: "down",
    group: "Run",
    summary: "Stop the local server",
    load: () => import("./commands/down.ts"),
  },
  {
    name: "serve",
    group: "Run",
    summary: "Run a server in the foreground",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "status",
    group: "Run",
    summary: "Show the server, the board and the agent that commands would use",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "servers",
    group: "Run",
    summary: "List the servers this machine has a key for",
    load: () => import("./commands/servers.ts"),
  },
  {
    name: "servers use",
    group: "Run",
    summary: "Choose the server that commands go to",
    load: () => import("./commands/servers-use.ts"),
  },
  {
    name: "servers remove",
    group: "Run",
    summary: "Forget a server on this machine",
    load: () => import("./commands/servers-remove.ts"),
  },
  {
    name: "keys",
    group: "Maintain",
    summary: "List your access keys",
    load: () => import("./commands/keys.ts"),
  },
  {
    name: "keys create",
    group: "Maintain",
    summary: "Make an access key, for another machine of yours",
    load: () => import("./commands/keys-create.ts"),
  },
  {
    name: "keys revoke",
    group: "Maintain",
    summary: "Stop one of your access keys",
    load: () => import("./commands/keys-revoke.ts"),
  },
  {
    name: "keys sessions",
    group: "Maintain",
    summary: "List the browsers where you are signed in",
    load: () => import("./commands/keys-sessions.ts"),
  },
  {
    name: "keys sessions end",
    group: "Maintain",
    summary: "Sign one browser out",
    load: () => import("./commands/keys-sessions-end.ts"),
  },
  {
    name: "api",
    group: "Maintain",
    summary: "Call any operation of the HTTP API",
    load: () => import("./commands/api.ts"),
  },
  {
    name: "completion",
    group: "Maintain",
    summary: "Print a completion script for a shell",
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "version",
    group: "Maintain",
    summary: "Print which build this is",
    load: () => import("./commands/version.ts"),
  },
  {
    name: "help",
    group: "Maintain",
    summary: "Explain the commands, or one of them",
    load: () => import("./commands/help.ts"),
  },
];
