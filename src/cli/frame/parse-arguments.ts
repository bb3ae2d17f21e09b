import type { ParseArgsConfig } from "node:util";
import { boardNameForm, taskSelectorForm } from "../../contract/forms.ts";
import { shellWord } from "../../contract/shell-word.ts";
import type { AnyCommand, Arg, Args } from "./command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { readPlainly } from "./read-plainly.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
export type Values = Record<string, string | boolean | string[] | undefined>;

const json = { json: { type: "boolean", description: "Print one JSON object." } } as const;
const help = { help: { type: "boolean", alias: "h", description: "Show this help." } } as const;

/** A command's arguments with the flags that every command has. */
export const flagsOf = ({ args, noJson }: AnyCommand): Args => ({
  ...args,
  ...(noJson ? {} : json),
  ...help,
});

/** A flag as it is typed: `displayName` is `--display-name`. */
export const flagName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isFlag = ([, arg]: [string, Arg]) => arg.type !== "positional";

function optionsOf(args: Args): Options {
  return Object.fromEntries(
    Object.entries(args)
      .filter(isFlag)
      .map(([name, arg]) => {
        const short = "alias" in arg ? [arg.alias].flat().find((one) => one?.length === 1) : null;
        return [
          flagName(name),
          {
            type: arg.type === "boolean" ? ("boolean" as const) : ("string" as const),
            multiple: true,
            ...(short && { short }),
          },
        ];
      }),
  );
}

/** Reads a command's words strictly: anything that the definition does not name is refused. `--help` ends the checks. */
export async function parseArguments(
  words: string[],
  args: Args,
  command?: string,
): Promise<Values> {
  const parsed = words.length === 0 ? nothing : await strictly(words, optionsOf(args), command);
  const values: Values = {};
  for (const [name, arg] of Object.entries(args).filter(isFlag))
    values[name] = flagValue(`--${flagName(name)}`, arg, parsed.values[flagName(name)]);
  if (values["help"]) return values;
  for (const [name, arg] of Object.entries(args))
    if (arg.required && arg.type !== "positional" && values[name] === undefined)
      throw usageError(`--${flagName(name)} is missing.`, helpHint(command));
  return Object.assign(values, positionals(parsed.positionals, args, command));
}

/** What a line without words says. */
const nothing: NonNullable<ReturnType<typeof readPlainly>> = { values: {}, positionals: [] };

const helpHint = (command: string | undefined): string =>
  command === undefined
    ? "`--help` after the command shows how it is used."
    : `\`service help ${command}\` shows how it is used.`;

async function strictly(words: string[], options: Options, command: string | undefined) {
  const plain = readPlainly(words, options);
  if (plain) return plain;
  const { parseArgs } = await import("node:util");
  try {
    return parseArgs({ args: words, options, strict: true, allowPositionals: true });
  } catch {
    throw (await import("./explain-arguments.ts")).explain(words, options, command);
  }
}

function flagValue(flag: string, arg: Arg, given: unknown): Values[string] {
  const list = (given ?? []) as (string | boolean)[];
  if (list.includes(""))
    throw usageError(
      `The value of ${flag} is empty.`,
      `Write it after ${flag}, or leave both out.`,
    );
  if (arg.multiple) return list as string[];
  if (list.length > 1) throw usageError(`${flag} is given twice.`, "Give it once.");
  if (arg.type === "boolean") return list[0] === true;
  const value = (list[0] ?? arg.default) as string | undefined;
  return value === undefined ? value : chosen(arg, value);
}

function chosen(arg: Arg, value: string): string {
  const choices = arg.options;
  if (choices && !choices.includes(value))
    throw usageError(
      `${value || "An empty word"} is not one of the choices.`,
      `Choose one of ${choices.join(", ")}.`,
      { choices },
    );
  return value;
}

function positionals(given: string[], args: Args, command: string | undefined): Values {
  const hint = helpHint(command);
  const values: Values = {};
  let rest = given;
  for (const [name, arg] of Object.entries(args).filter((entry) => !isFlag(entry))) {
    const taken = arg.multiple ? rest : rest.slice(0, 1);
    rest = rest.slice(taken.length);
    if (taken.length === 0 && arg.required !== false)
      throw usageError(
        `${arg.options ? `One of ${arg.options.join(", ")}` : positionalName(name, arg)} is missing.`,
        hint,
      );
    const [only] = taken;
    if (arg.quoted && rest[0] !== undefined) throw unquoted(only!, rest, "task" in args);
    if (arg.multiple) values[name] = taken;
    else if (only !== undefined) values[name] = chosen(arg, only);
  }
  if (rest[0] !== undefined)
    throw usageError(`Unexpected argument: ${rest[0]}.`, tooMuch(rest[0], args, command));
  return values;
}

/** What to type instead of a word that a command does not take: people name boards without the flag, and ask a list to list. */
function tooMuch(word: string, args: Args, command: string | undefined): string {
  const takesNone = Object.entries(args).every(isFlag);
  if (takesNone && command !== undefined && ["list", "ls", "show"].includes(word))
    return `Leave it out: \`service ${command}\`.`;
  const mayBeBoard = args["board"]?.type === "string" && new RegExp(boardNameForm).test(word);
  return mayBeBoard
    ? `If it is a board, write \`--board ${word}\`. ${helpHint(command)}`
    : helpHint(command);
}

/** The hint repeats only the text: the flags stay as they were typed. */
function unquoted(first: string, rest: readonly string[], takesTask: boolean) {
  const quoted = (words: readonly string[]) => shellWord(words.join(" "));
  const isAbout = takesTask && isTask(first);
  const about = isAbout
    ? `. If ${first} is the task: \`--task ${first}\`, and ${quoted(rest)}`
    : "";
  return usageError(
    `Unexpected argument: ${rest[0]}. The text is one argument.`,
    `Put it in quotes: ${quoted([first, ...rest])}${about}`,
  );
}

/** Whether a word may be a task: its reference, its number or its id. */
export const isTask = (word: string): boolean => new RegExp(taskSelectorForm, "i").test(word);

/** How help and refusals write a positional argument. */
export const positionalName = (name: string, arg: Arg): string =>
  arg.options?.join("|") ?? (arg.valueHint ?? name).toUpperCase();
