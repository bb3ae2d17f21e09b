import type { Cli } from "./frame/cli.ts";
import type { AnyCommand, Args } from "./frame/command.ts";
import { findCommand } from "./find-command.ts";
import { foldersOf } from "../client/machine/folders.ts";
import { sessionOf } from "../client/machine/harness.ts";
import { admitHere } from "./frame/who-may-run.ts";
import { emptyRunCache } from "../client/machine/run-cache.ts";
import { note, print, printFailure } from "./frame/output.ts";
import { flagsOf, parseArguments } from "./frame/parse-arguments.ts";
import { programName } from "./frame/program-name.ts";
import type { Offline } from "./frame/offline.ts";
import type { RecoverKey, StartServer } from "./frame/start-server.ts";
import type { StartDaemon } from "./frame/start-daemon.ts";
import type { Surroundings } from "./frame/surroundings.ts";
import { refuseGarbled } from "./frame/argv-encoding.ts";

/** What `main.ts` hands to the command line. */
interface Dependencies {
  /** Starts a server in this process, for `serve`. */
  readonly startServer: StartServer;
  /** Makes a key while no server runs, for `recover`. */
  readonly recoverKey: RecoverKey;
  /** Works on data folders and backups, for `backup` and `restore`. */
  readonly offline: Offline;
  /** Starts the delivery daemon in this process, for `daemon`. */
  readonly startDaemon: StartDaemon;
}

/**
 * Runs one command line and gives its exit code: 0 done, 1 refused, 2 not understood, 3 a check failed. Several may run in
 * one process, because each has only what it is given.
 */
export async function runCli(
  words: string[],
  given: Surroundings,
  dependencies: Dependencies,
): Promise<number> {
  if (words[0] === "hook")
    return (await import("./hooks/run-hook.ts")).runHook(words.slice(1), given);
  const json = isJson(words);
  const typed = typedIn(given);
  try {
    refuseGarbled(given.system, words);
    const found = await findCommand(words);
    const cli: Cli = {
      ...given,
      words,
      command: found.name,
      json,
      folders: foldersOf(given),
      learned: emptyRunCache(),
      ...dependencies,
      session: null,
      serverStarted: false,
      typed,
      print: (output) => print(given, output),
      note: (line) => {
        if (!json) note(given, line);
      },
    };
    return await runCommand(cli, found.command, found.rest);
  } catch (error) {
    return printFailure({ ...given, json, typed }, error);
  }
}

async function runCommand(cli: Cli, command: AnyCommand, words: string[]): Promise<number> {
  const args = { ...hiddenFlags(command), ...flagsOf(command) };
  const values = await parseArguments(words, args, cli.command);
  if (values["help"]) {
    const { helpFor } = await import("./help.ts");
    const about = words.filter((word) => !word.startsWith("-"));
    const help = command.helpOn?.(about) ?? (await helpFor(cli));
    await cli.print(cli.json ? help.json : help.text);
    return 0;
  }
  admitHere(cli, command, values);
  if (sessionOf(cli.env) !== null) {
    const { learnSession } = await import("./acting/learn-session.ts");
    await learnSession(cli, command, values);
  }
  const answer = await Promise.resolve(command.run({ args: values as never, data: cli })).catch(
    async (error: unknown) => {
      const { withNearName } = await import("./acting/near-names.ts");
      throw await withNearName(cli, error, values);
    },
  );
  if (answer) await cli.print(cli.json ? answer.json : answer.text);
  return answer?.exitCode ?? 0;
}

/** A person's command takes `--as` only to refuse it with a reason. */
const hiddenFlags = ({ acts }: AnyCommand): Args =>
  acts === "person" || acts === "session" ? { as: { type: "string", description: "" } } : {};

/** Whether the command line has `--json`, even if the rest of it cannot be parsed. */
function isJson(words: string[]): boolean {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).includes("--json");
}

function typedIn(given: Surroundings): Cli["typed"] {
  let name: string | undefined;
  return (command) => `${(name ??= programName(given))} ${command}`;
}
