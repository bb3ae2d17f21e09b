/**
 * The floors of src from the ground up. A file may import what lies on its own floor or below it. A floor is a folder
 * without its inner folders, or a file that is named by itself: one at the ground that its folder builds on, or one
 * that puts its folder together.
 */
export const floors: readonly string[] = [
  // What the build says about itself. It imports nothing, and every part may name its version.
  "src/build-info.ts",

  "src/contract/errors",
  "src/contract",
  "src/contract/documents",

  "src/client/files",

  "src/db/migrations",
  "src/db/engine",
  // Numbers and hashes of the log, for the tables; append() and the projections are above the tables, which they write.
  "src/db/log/log-place.ts",
  "src/db/log/chain.ts",
  "src/db",
  "src/db/log",
  "src/db/search",

  "src/server/access",
  "src/server",
  ...["boards", "tasks", "agents", "files", "asks", "delivery", "people", "joining"].map(inServer),
  ...["messages", "events", "inbox", "machines", "pairing", "search", "sign-in"].map(inServer),
  "src/server/live",
  // The rule of every operation by name: it imports every noun.
  "src/server/handlers.ts",
  "src/server/http",
  "src/server/http/documents",
  // The first person of a new data folder, and the start of a server: they put all of the above together.
  "src/server/first-start.ts",
  "src/server/serve.ts",

  "src/client",
  "src/client/machine",

  ...["terminal", "frame", "local-server", "connection", "acting"].map(inCli),
  ...["agents", "messages", "asks", "auditing", "boards", "files", "pairing"].map(inCli),
  ...["signing-in", "joining", "messages/reading", "people", "tasks", "running"].map(inCli),
  // The index of commands: it loads each one only when it is asked for.
  "src/cli/commands.ts",
  "src/cli",
  // Commands about the command line itself: they read the index.
  "src/cli/about",
  "src/cli/run-cli.ts",

  // The executable puts the command line and the server together.
  "src",
];

/** A circle of files that the test lets stand. */
interface NamedCircle {
  readonly files: readonly string[];
  readonly why: string;
}

/** The arrows that point up all the same, each with its reason. */
export const upwardWithReason: Readonly<Record<string, string>> = {
  "src/cli/terminal → src/cli/frame": "Questions and progress take the run that they write to.",
  "src/cli/terminal → src/cli/messages": "The Markdown of a message shows its attachments.",
  "src/cli/terminal → src/cli/asks": "The Markdown of a message shows the options of an ask.",
  "src/cli/frame → src/cli/local-server":
    "A run is given the function that starts a server, by its type.",
  "src/cli/local-server → src/cli/connection": "The server is asked who it is with one request.",
  "src/cli/connection → src/cli/acting":
    "A request to every server is made as an agent or as a person.",
  "src/cli/messages → src/cli/asks": "A message shows the ask that it carries.",
  "src/cli/messages → src/cli/tasks":
    "Reading and posting remind an agent of its work, and a task that is found shows its state.",
  "src/cli/messages → src/cli/messages/reading": "The commands of messages read with it.",
  "src/server/access → src/server/agents":
    "Access looks at a role's permissions, and at who owns an agent.",
  "src/server/access → src/server/messages": "Access to a message asks what its reader may read.",
  "src/server/access → src/server/pairing": "Access to a pairing asks who its sides are.",
  "src/server/asks → src/server/messages": "A list of asks shows their messages.",
  "src/server/boards → src/server/agents":
    "Who adds somebody to a board needs a role that allows it.",
  "src/server/boards → src/server/joining":
    "Codes are revoked when a stay ends and when a board's visibility changes.",
  "src/server/boards → src/server/tasks": "A stay that ends drops the member's tasks.",
  "src/server/boards → src/server/files": "A board shows its brief.",
  "src/server/boards → src/server/messages":
    "A board counts the unread messages that its reader may read.",
  "src/server/delivery → src/server/messages":
    "A delivery report names only messages that its sender may read.",
  "src/server/files → src/server/messages":
    "A file counts later messages that its reader may read.",
  "src/server/joining → src/server/machines":
    "A seat that a delegation takes says in the log which machine it was.",
  "src/server/people → src/server/pairing": "An invitation may bring a pairing with it.",
  "src/server/tasks → src/server/agents": "Work on a task changes an agent's status line.",
  "src/server/tasks → src/server/messages":
    "A task counts the messages about it that its reader may read.",
};

/** Circles that close only through an import of types, each with its reason. */
export const typeCircles: readonly NamedCircle[] = [
  {
    files: [
      "src/cli/asks/answered-asks.ts",
      "src/cli/asks/ask-text.ts",
      "src/cli/messages/attached-text.ts",
      "src/cli/messages/delivery-text.ts",
      "src/cli/messages/message-text.ts",
    ],
    why: "A message shows its ask and attachments, and the texts of these take the type of a message.",
  },
];

/** Circles that close only through a file that is loaded when it is called, each with its reason. */
export const lazyCircles: readonly NamedCircle[] = [
  {
    files: [
      "src/cli/about/completion.ts",
      "src/cli/about/help.ts",
      "src/cli/commands.ts",
      "src/cli/completion.ts",
      "src/cli/help.ts",
    ],
    why: "`help` and `completion` are commands of the index that they show.",
  },
  {
    files: [
      "src/cli/connection/api.ts",
      "src/cli/local-server/local-server.ts",
      "src/cli/local-server/spawn-server.ts",
    ],
    why: "A request to this machine's server starts the server if it is not there, and then asks it.",
  },
];

function inServer(noun: string): string {
  return `src/server/${noun}`;
}

function inCli(room: string): string {
  return `src/cli/${room}`;
}
