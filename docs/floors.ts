/**
 * The floors of src from the ground up. A file may import what lies on its own floor or below it. A floor is a folder
 * without its inner folders, or a file that is named by itself: one at the ground that its folder builds on, or one
 * that puts its folder together.
 */
export const floors: readonly string[] = [
  "src/contract/errors",
  "src/contract",
  "src/contract/pairing",
  "src/contract/signing-in",
  // The table of operations: it imports every noun.
  "src/contract/index.ts",
  "src/contract/documents",

  // Texts for agents: the elements that keep what others wrote apart from what this program says.
  "src/agent-text",

  // The tools for agents: what they do, then the protocol around them. A door says how an operation is made.
  "src/mcp/caller.ts",
  "src/mcp/texts.ts",
  "src/mcp/tool.ts",
  "src/mcp/common.ts",
  "src/mcp/marked.ts",
  "src/mcp/tools",
  "src/mcp",

  "src/client/files",

  // The format of a backup, and where backups are kept: for the server, and for commands that read them.
  "src/backup",

  "src/db/migrations",
  "src/db/journal/migrations",
  "src/db/engine",
  "src/db/journal",
  "src/db/log",
  "src/db",
  // append() and the projections write the tables.
  "src/db/projection",
  "src/db/rebuild",
  "src/db/search",

  // A board as a file: its form, and the check of its log. The hashes are those of the log.
  "src/board-archive",

  "src/server/access",
  "src/server",
  ...[
    "tasks",
    "files",
    "boards",
    "agents",
    "asks",
    "delivery",
    "events",
    "pairing",
    "downloads",
  ].map(inServer),
  // A board that comes in becomes one by the rules of leaving and joining.
  "src/server/importing",
  "src/server/exporting",
  // What needs a person is read from the nouns above.
  "src/server/attention",
  ...["people", "joining", "messages", "inbox", "machines", "search", "sign-in"].map(inServer),
  // How a backup is copied and verified.
  "src/server/backup",
  "src/server/live",
  "src/server/health",
  "src/server/numbers",
  // The rule of every operation by name: it imports every noun.
  "src/server/handlers.ts",
  // How the page is built, and where the server answers with it.
  "src/web/build",
  "src/server/http",
  "src/server/http/page",
  "src/server/http/documents",
  // The first person of a new data folder, a key for one who lost theirs, and the start of a server: they put all of the
  // above together.
  "src/server/first-start.ts",
  "src/server/recover-key.ts",
  "src/server/offline",
  "src/server/start-options.ts",
  "src/server/put-together.ts",
  "src/server/serve.ts",

  "src/client",
  // What is known of the programs that agents run in, as data.
  "src/client/harnesses",
  "src/client/machine",

  ...["loop", "socket", "harnesses", "harnesses/codex", "servers"].map(inDaemon),
  ...["sessions/held", "sessions/handing", "sessions/requests", "sessions"].map(inDaemon),
  "src/daemon/extensions",
  "src/daemon",

  ...["terminal", "frame", "network", "local-server", "local-daemon", "connection", "acting"].map(
    inCli,
  ),
  ...["settings-files", "entries", "doctor", "plan"].map((room) => inCli(`setting-up/${room}`)),
  "src/cli/setting-up",
  ...["agents", "messages", "asks", "auditing", "boards", "files", "pairing"].map(inCli),
  "src/cli/attention",
  ...[
    "signing-in",
    "joining",
    "messages/reading",
    "boards/moving",
    "people",
    "running",
    "tasks",
  ].map(inCli),
  "src/cli/searching",
  "src/cli/backups",
  "src/cli/mcp",
  // The index of commands: it loads each one only when it is asked for.
  "src/cli/commands.ts",
  "src/cli",
  // Commands about the command line itself: they read the index.
  "src/cli/about",
  // What harnesses run. It asks the index what subagents may do.
  "src/cli/hooks",
  "src/cli/run-cli.ts",

  // The page in the browser.
  ...[
    "connection",
    "screen",
    "signing-in",
    "boards",
    "files",
    "tasks",
    "talk",
    "sending",
    "attention",
  ].map(inCore),
  "src/web/core",
  "src/web/worker",
  "src/web/parts",
  ...["text", "asks", "messages", "needs", "composer", "palette", "frame"].map(inParts),
  "src/web/places",
  "src/web/places/home",
  "src/web/places/talk",
  "src/web/places/people",
  "src/web/places/tasks",
  "src/web/places/files",
  "src/web/places/brief",
  "src/web/places/board",
  "src/web/places/account",
  // What is fetched when it is first needed: the index of those places.
  "src/web/later",
  "src/web",

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
  "src/server/asks → src/server/messages": "A list of asks shows their messages.",
  "src/server/pairing → src/server/messages":
    "The outcome of a pairing request is posted as a message.",
};

/** Circles that close only through an import of types, each with its reason. */
export const typeCircles: readonly NamedCircle[] = [];

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
    files: ["src/cli/local-server/local-server.ts", "src/cli/local-server/spawn-server.ts"],
    why: "Starting the server is loaded when there is none, and writes to the log file that its finder names.",
  },
];

function inServer(noun: string): string {
  return `src/server/${noun}`;
}

function inDaemon(part: string): string {
  return `src/daemon/${part}`;
}

function inCli(room: string): string {
  return `src/cli/${room}`;
}

function inCore(noun: string): string {
  return `src/web/core/${noun}`;
}

function inParts(part: string): string {
  return `src/web/parts/${part}`;
}
