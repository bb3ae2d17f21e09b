import type { Cli } from "./cli.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { defaultServer, isCalled, type ServerRef } from "../../client/machine/servers.ts";

interface Where {
  readonly as?: string | undefined;
  readonly board?: string | undefined;
  readonly server?: string | undefined;
  /** Whether the person acts where an agent could. */
  readonly me?: boolean | undefined;
}

/** The value of a flag: true for a flag without one, several for a flag that is repeated, undefined for none. */
type FlagValue = string | number | boolean | readonly string[] | undefined;

/** A command that somebody may type next. */
export interface Suggestion {
  /** Its words after the program's name, quoted for a shell; `words` quotes what is filled in. */
  readonly words: string;
  /** Flags after the words, in this order, by their names without dashes. */
  readonly flags?: Readonly<Record<string, FlagValue>>;
}

/** Writes a suggested command for its reader. */
export type Typed = (words: string) => string;

/** Prints a suggestion as one line for a shell, without the program's name. Every form below is made of it. */
export const commandLine = ({ words: start, flags = {} }: Suggestion): string =>
  [start, ...Object.entries(flags).flatMap(([name, value]) => flagWords(`--${name}`, value))].join(
    " ",
  );

function flagWords(flag: string, value: FlagValue): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [flag];
  return [value].flat().map((one) => `${flag} ${shellWord(String(one))}`);
}

/** The command for any machine, where the program is called `service`. */
export const portable = (suggestion: Suggestion): string => `service ${commandLine(suggestion)}`;

/** The command as a hint writes it: the portable one, in backticks. */
export const hinted = (suggestion: Suggestion): string => `\`${portable(suggestion)}\``;

/** Writes commands for this machine, each with these flags. */
export const typedWith =
  (cli: Cli, where: Where): Typed =>
  (line) =>
    cli.typed(commandLine(atPlace(line, where)));

/** Writes commands for hints, each with these flags. */
export const hintedWith =
  (where: Where): Typed =>
  (line) =>
    hinted(atPlace(line, where));

/** The commands that take `--me`. In others the person acts anyway when no agent is selected. */
const withMe = new Set(["say", "read", "replies", "message", "react"]);

const atPlace = (line: string, { as, board, server, me }: Where): Suggestion => ({
  words: line,
  flags: { as, board, server, me: me && withMe.has(line.split(" ")[0]!) },
});

/** Writes a person's commands for this machine so that they reach a server, and a board there if one is given. */
export const typedAt = (cli: Cli, server: ServerRef, board?: string): Typed =>
  typedWith(cli, { board, ...flagsTo(cli, server) });

/** The flags that a person's command needs to reach a server: none if it reaches that server anyway. */
export function flagsTo(cli: Cli, server: ServerRef): Pick<Where, "server"> {
  const wanted = cli.env["SERVICE_SERVER"];
  const goes = wanted ? isCalled(server, wanted) : defaultServer(cli)?.name === server.name;
  return goes ? {} : { server: server.url };
}

/** The words of a command, with each value that is filled in quoted for a shell; a list gives several words. */
export const words = (
  texts: TemplateStringsArray,
  ...values: (string | number | readonly string[])[]
): string =>
  String.raw(
    { raw: texts },
    ...values.map((value) =>
      [value]
        .flat()
        .map((one) => shellWord(String(one)))
        .join(" "),
    ),
  );

const dropped = new Set(["--yes", "--json"]);

/**
 * The command line of this run as a hint, without `--yes` and `--json`: for a person to run. `as` is the agent that the
 * command is about, if it is about one. Only the first line of an argument of several lines is kept, such as of an
 * invitation to join.
 */
export function againInTerminal(
  { words: given }: Pick<Cli, "words">,
  as: string | null = null,
): string {
  const kept = given.filter(
    (word, i) =>
      !dropped.has(word) && word !== "--as" && given[i - 1] !== "--as" && !word.startsWith("--as="),
  );
  return retyped(
    kept.map((word) => word.trim().split("\n")[0]!),
    as === null ? [] : ["--as", as],
  );
}

/** The command line of this run as a hint, with `--yes`. */
export const againWithYes = (cli: Pick<Cli, "words">): string => retyped(cli.words, ["--yes"]);

/** The command line of this run as a hint, with the key under which it was sent. */
export const againWithRetry = ({ words: given }: Pick<Cli, "words">, key: string): string =>
  retyped(given, given.some((word) => word.startsWith("--retry")) ? [] : ["--retry", key]);

/** Words as they were given, and flags after the last of them that is read as a flag. */
function retyped(given: readonly string[], flags: readonly string[]): string {
  const flagsEnd = given.includes("--") ? given.indexOf("--") : given.length;
  return hinted({
    words: given
      .toSpliced(flagsEnd, 0, ...flags)
      .map(shellWord)
      .join(" "),
  });
}
