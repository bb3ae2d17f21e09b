import { everyCommand } from "./commands.ts";
import { nearest } from "./frame/nearest.ts";
import { usageError } from "../client/machine/local-error.ts";

/** Words that people type, and the command that they mean. */
const meant: Readonly<Record<string, string>> = {
  create: "board new",
  list: "boards",
  ls: "boards",
  show: "status",
  ui: "open",
  web: "open",
  browser: "open",
  info: "status",
  logs: "status",
  close: "task done",
  edit: "task note",
  tasks: "task list",
  todo: "task list",
  files: "file list",
  post: "say",
  send: "say",
  write: "say",
  reply: "say",
  tell: "say",
  log: "read",
  history: "read",
  messages: "read",
  find: "search",
  start: "up",
  stop: "down",
  signin: "login",
  me: "whoami",
  members: "board people",
  "board create": "board new",
  "board make": "board new",
  "board list": "boards",
  "board ls": "boards",
  "board show": "boards",
  "board status": "boards",
  "board rename": "board title",
  "board edit": "board title",
  "board members": "board people",
  "board invite": "invite",
  "board join": "join",
  "board boards": "boards",
  "task create": "task new",
  "task add": "task new",
  "task open": "task new",
  "task ls": "task list",
  "task get": "task show",
  "task view": "task show",
  "task close": "task done",
  "task finish": "task done",
  "task edit": "task note",
  "task update": "task note",
  "task claim": "task start",
  "task take": "task start",
  "file create": "file put",
  "file add": "file put",
  "file upload": "file put",
  "file write": "file put",
  "file edit": "file put",
  "file download": "file get",
  "file read": "file get",
  "file cat": "file get",
  "file ls": "file list",
  "file rename": "file mv",
  "file move": "file mv",
  "brief show": "brief",
  "brief edit": "brief put",
  "brief write": "brief put",
  "keys list": "keys",
  "keys new": "keys create",
  "keys add": "keys create",
  "people list": "people",
  "people add": "invite",
  "people invite": "invite",
  "people show": "people",
  "invite create": "invite",
  "invite new": "invite",
  "invite ls": "invite list",
  "servers list": "servers",
  "servers add": "connect",
  "agent list": "agents",
  "agent new": "join",
  "agent create": "join",
  "agent add": "join",
  "daemon status": "status",
  "daemon stop": "down",
};

/** Commands that end, remove or reveal something. None of them is ever suggested for a word that only resembles its name. */
export const endingCommands: ReadonlySet<string> = new Set([
  "leave",
  "logout",
  "down",
  "recover",
  "agent remove",
  "agent prune",
  "board leave",
  "board remove",
  "board archive",
  "board delete",
  "board open",
  "board visibility",
  "board owner",
  "people remove",
  "people role",
  "keys revoke",
  "keys sessions end",
  "servers remove",
  "invite revoke",
  "file rm",
  "task drop",
  "task done",
  "attention dismiss",
  "pairing decline",
  "pairing cancel",
]);

/** The refusal for words that name no command, with what was probably meant, or with the commands of the group. */
export function noSuchCommand(first: string, second?: string): Error {
  const typed = second === undefined ? first : `${first} ${second}`;
  const refused = (hint: string, choices?: string[]) =>
    usageError(`There is no command \`${typed}\`.`, hint, choices && { choices });
  if (second === "help")
    return refused(`Write the words the other way round: \`service help ${first}\`.`);
  const guess = Object.hasOwn(meant, typed) ? meant[typed]! : resembling(first, second);
  if (guess !== null) return refused(`Did you mean \`service ${guess}\`?`, [guess]);
  const group = partsOf(first);
  return second === undefined || group.length === 0
    ? refused("`service help` lists the commands.")
    : refused(
        `The \`${first}\` commands are ${group.join(", ")}. \`service help ${first}\` explains them.`,
        group.map((part) => `${first} ${part}`),
      );
}

const partsOf = (first: string): string[] =>
  everyCommand().flatMap(({ name }) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  );

/** The harmless command whose name is like what was typed: in its group, if its first word is one. */
function resembling(first: string, second: string | undefined): string | null {
  if (second !== undefined) {
    const harmless = partsOf(first).filter((part) => !endingCommands.has(`${first} ${part}`));
    const part = likeOneOf(second, harmless);
    return part === null ? null : `${first} ${part}`;
  }
  const harmless = everyCommand()
    .map(({ name }) => name)
    .filter((name) => !endingCommands.has(name));
  return likeOneOf(first, [...harmless, ...harmless.map((name) => name.split(" ")[0]!)]);
}

/** A short word resembles too much: then it has to begin alike. */
const likeOneOf = (word: string, known: readonly string[]): string | null =>
  nearest(word, word.length > 2 ? known : known.filter((one) => one[0] === word[0]));
