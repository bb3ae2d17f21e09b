import type { Cli, Env } from "./cli.ts";
import type { AnyCommand, Args } from "./command.ts";
import { findCommand } from "./find-command.ts";
import { foldersOf } from "./folders.ts";
import { admitHere } from "./gate.ts";
import { note, print, printFailure } from "./output.ts";
import { flagsOf, parseArguments } from "./parse-arguments.ts";
import { programName } from "./program-name.ts";
import type { StartServer } from "./start-server.ts";
import { refuseGarbled } from "./words-given.ts";

/** What the command line is composed with. */
export interface Dependencies {
  /** Starts a server in this process, for `serve`. */
  readonly startServer: StartServer;
}

/** Runs one command line and gives its exit code: 0 done, 1 refused, 2 not understood, 3 a check failed. */
export async function runCli(words: string[], dependencies: Dependencies): Promise<number> {
  const env: Env = process.env;
  const json = isJson(words);
  const typed = typedIn(env);
  try {
    refuseGarbled(words);
    const found = await findCommand(words);
    const cli: Cli = {
      env,
      words,
      command: found.name,
      json,
      folders: foldersOf(env),
      startServer: dependencies.startServer,
      serverStarted: false,
      typed,
      print: (output) => print(env, output),
      note: (line) => {
        if (!json) note(env, line);
      },
    };
    return await runCommand(cli, found.command, found.rest);
  } catch (error) {
    return printFailure({ env, json, typed }, error);
  }
}

async function runCommand(cli: Cli, command: AnyCommand, words: string[]): Promise<number> {
  const args = { ...hiddenFlags(command), ...flagsOf(command) };
  const values = await parseArguments(words, args);
  if (values["help"]) {
    const { helpFor } = await import("./help.ts");
    await cli.print(cli.json ? (await helpFor(cli)).json : (await helpFor(cli)).text);
    return 0;
  }
  admitHere(cli, command, values);
  const answer = await command.run({ args: values as never, data: cli });
  if (answer) await cli.print(cli.json ? answer.json : answer.text);
  return answer?.exitCode ?? 0;
}

/** A person's command takes `--as` only to say that it is not an agent's. */
const hiddenFlags = ({ acts }: AnyCommand): Args =>
  acts === "person" || acts === "session" ? { as: { type: "string", description: "" } } : {};

/** Whether the line asks for JSON, also when the rest of it cannot be read. */
function isJson(words: string[]): boolean {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).includes("--json");
}

function typedIn(env: Env): Cli["typed"] {
  let name: string | undefined;
  return (command) => `${(name ??= programName(env))} ${command}`;
}
