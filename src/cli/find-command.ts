import { commandNamed, hasParts } from "./commands.ts";
import { usageError } from "../client/machine/local-error.ts";

/** The command that the first words name, and the words after its name; the longer name goes before the shorter. */
export async function findCommand(words: string[]) {
  const [first, second] = words;
  const withoutHelp = words.filter((word) => !isHelp(word));
  if (first === undefined || isHelp(first) || withoutHelp.every((word) => word === "--json"))
    return load("help", withoutHelp);
  if (first === "--version") return load("version", words.slice(1));
  if (first.startsWith("-"))
    throw (
      (await forSystem(first)) ??
      usageError(
        `The flag ${first} is before the command.`,
        "Flags come after it, as in `service status --json`; `service help` lists the commands.",
      )
    );
  const named = [3, 2].find(
    (length) => words.length >= length && isCommand(words.slice(0, length).join(" ")),
  );
  if (named) return load(words.slice(0, named).join(" "), words.slice(named));
  const isPart = second !== undefined && !second.startsWith("-");
  if (isPart && hasParts(first) && !(await takesWord(first))) throw await unknown(first, second);
  if (isCommand(first)) return load(first, words.slice(1));
  if (!hasParts(first)) throw (await forSystem(first, second)) ?? (await unknown(first));
  return load("help", withoutHelp);
}

const isCommand = (words: string) => commandNamed(words) !== undefined;
/** Whether a word is a command that takes an argument. */
async function takesWord(word: string): Promise<boolean> {
  if (!isCommand(word)) return false;
  const { args = {} } = (await load(word, [])).command;
  return Object.values(args).some(({ type }) => type === "positional");
}
const isHelp = (word: string) => word === "--help" || word === "-h";

async function load(name: string, rest: string[]) {
  return { name, command: (await commandNamed(name)!.load()).default, rest };
}

const unknown = async (first: string, second?: string): Promise<Error> =>
  (await import("./did-you-mean.ts")).noSuchCommand(first, second);

const forSystem = async (first: string, second?: string): Promise<Error | null> =>
  (await import("./frame/systems-service.ts")).meantForSystem(first, second);
