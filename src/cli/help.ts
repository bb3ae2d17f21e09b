import type { Acts, AnyCommand, Answer, Args } from "./frame/command.ts";
import type { Cli } from "./frame/cli.ts";
import { commandNamed, everyCommand, groups, type CommandEntry } from "./commands.ts";
import { inSession } from "../client/machine/harness.ts";
import { usageError } from "../client/machine/local-error.ts";
import { helpAbout, isTopic, topicNames } from "./help-topics.ts";
import { flagName, flagsOf, positionalName } from "./frame/parse-arguments.ts";
import { bold, dim } from "./terminal/style.ts";
import { columns } from "./terminal/table.ts";

/** What `help COMMAND --json` says about one command; the generated reference is written from it. */
export type CommandHelp = Awaited<ReturnType<typeof describe>>;

/** Help for a command, for the commands that begin with a word, about a topic, or an index when no name is given. */
export async function helpFor(cli: Cli, name = cli.command): Promise<Answer> {
  if (name === "") return index(cli);
  if (isTopic(name)) return helpAbout(name);
  const entries = everyCommand().filter(
    (one) => one.name === name || one.name.startsWith(`${name} `),
  );
  const further = entries.length === 0 ? await helpOnFurther(name) : null;
  if (further) return further;
  if (entries.length === 0)
    throw usageError(
      `There is no command \`${name}\`.`,
      `\`service help\` lists the commands. It also explains ${topicNames.map((topic) => `\`${topic}\``).join(" and ")}.`,
    );
  const all = await Promise.all(entries.map(describe));
  const exact = all.find((one) => one.name === name);
  return {
    json: { commands: exact ? [exact] : all },
    text: exact ? oneCommand(cli, exact, all) : overview(all, [moreAboutOne(cli)]),
  };
}

/** Help on what stands after a command's name, such as `api getMe`. */
async function helpOnFurther(words: string): Promise<Answer | null> {
  const [first, ...more] = words.split(" ");
  const entry = commandNamed(first!);
  return (entry && (await entry.load()).default.helpOn?.(more)) ?? null;
}

/** What is known of every command. */
export const helpOfAll = (): Promise<CommandHelp[]> => Promise.all(everyCommand().map(describe));

/**
 * The commands with a line each. In a session those that only a person runs are left out. As JSON it stays short enough
 * for a model to read: `help COMMAND --json` says the rest.
 */
async function index(cli: Cli): Promise<Answer> {
  const all = await Promise.all(
    everyCommand().map(async (entry) => ({ entry, command: (await entry.load()).default })),
  );
  const hidesPersons = inSession(cli.env);
  const shown = all
    .filter(({ command }) => !hidesPersons || !isPersonsOwn(command))
    .map(({ entry: { name, group }, command: { summary } }) => ({ name, group, summary }));
  const more = [
    ...(hidesPersons ? [`Your person runs ${all.length - shown.length} more in a terminal.`] : []),
    moreAboutOne(cli),
    `Settings and exit codes: ${topicNames.map((topic) => cli.typed(`help ${topic}`)).join(", ")}`,
  ];
  return {
    json: { commands: shown, topics: topicNames },
    text: overview(shown, more),
  };
}

const moreAboutOne = (cli: Cli): string => `More about one command: ${cli.typed("help COMMAND")}`;

/** Whether a command is a person's in every form: a form without values is a person's too. */
const isPersonsOwn = ({ acts }: AnyCommand): boolean =>
  (typeof acts === "function" ? (acts as (args: object) => Acts)({}) : acts) === "person";

async function describe(entry: CommandEntry) {
  const command = (await entry.load()).default;
  return {
    name: entry.name,
    group: entry.group,
    summary: command.summary,
    usage: [usageOf(entry.name, command)],
    description: command.details ?? "",
    flags: flagHelp(flagsOf(command)),
    examples: (command.examples ?? []).map(([line, text]) => ({
      command: `service ${line}`,
      text,
    })),
    see_also: command.seeAlso ?? [],
  };
}

function usageOf(name: string, { args = {} }: AnyCommand): string {
  const words = Object.entries(args).flatMap(([key, arg]) => {
    if (arg.type !== "positional") return [];
    const word = `${positionalName(key, arg)}${arg.multiple ? "..." : ""}`;
    return [arg.required === false ? `[${word}]` : word];
  });
  const needed = Object.entries(args).flatMap(([key, arg]) =>
    arg.required && arg.type !== "positional" ? [`--${flagName(key)} ${valueOf(arg)}`.trim()] : [],
  );
  return ["service", name, ...words, ...needed, "[flags]"].join(" ");
}

const valueOf = (arg: Args[string]): string => {
  if (arg.type === "boolean") return "";
  return arg.options?.join("|") ?? arg.valueHint ?? "VALUE";
};

/** The flags of a command. `value` is empty for a switch. */
function flagHelp(args: Args) {
  return Object.entries(args).map(([key, arg]) =>
    arg.type === "positional"
      ? { name: positionalName(key, arg), value: "", text: arg.description }
      : { name: `--${flagName(key)}`, value: valueOf(arg), text: arg.description },
  );
}

function oneCommand(cli: Cli, help: CommandHelp, found: readonly CommandHelp[]): string {
  const flags = help.flags.map(
    ({ name, value, text }) => [`${name} ${value}`.trim(), text] as const,
  );
  const parts = found.filter(({ name }) => name !== help.name);
  const typed = (line: string) => cli.typed(line.replace(/^service /, ""));
  return [
    `${bold(help.name)}: ${help.summary}.`,
    ...(help.description ? ["", help.description] : []),
    "",
    `Usage: ${typed(help.usage[0]!)}`,
    "",
    columns(flags),
    ...(help.examples.length ? ["", "Examples:"] : []),
    ...help.examples.map(({ command, text }) => `  ${typed(command)}\n      ${dim(text)}`),
    ...(parts.length
      ? ["", "Commands:", columns(parts.map((one) => [one.name, one.summary]))]
      : []),
    ...(help.see_also.length ? ["", `See also: ${help.see_also.join(", ")}.`] : []),
  ].join("\n");
}

function overview(
  found: readonly Pick<CommandHelp, "name" | "group" | "summary">[],
  more: readonly string[],
): string {
  const width = Math.max(...found.map(({ name }) => name.length));
  const sections = groups.flatMap((group) => {
    const own = found.filter((one) => one.group === group);
    const rows = own.map(({ name, summary }) => [name, summary] as const);
    return own.length ? [`${bold(group)}\n${columns(rows, width)}`] : [];
  });
  return [
    "service: the room where people and their agents work together.",
    ...sections,
    more.join("\n"),
  ].join("\n\n");
}
