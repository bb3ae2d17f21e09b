import { listedUnlessSaid, mostListed, mostOptions } from "../../contract/limits.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { untilTime } from "../agents/status-line-words.ts";
import { aboutOf, retryFlag, type PostBody } from "../messages/posting.ts";
import { actorFlags, type Args, type Parsed } from "../frame/command.ts";
import { flagName } from "../frame/parse-arguments.ts";
import type { Clock } from "../frame/surroundings.ts";
import { integer } from "../frame/values.ts";

/** The words and flags of `ask`, of which each form takes some. */
export const askArgs = {
  words: {
    type: "positional",
    required: false,
    multiple: true,
    valueHint: "[@NAME] QUESTION [OPTION]",
    description: "Whom to ask, the question, and up to four options, each in quotes.",
  },
  goingWith: {
    type: "string",
    valueHint: "CHOICE",
    description: "What you do unless somebody says otherwise; you do not wait for the answer.",
  },
  at: {
    type: "string",
    valueHint: "TIME",
    description:
      "When you go ahead (else at once): `17:30` today, or a duration such as `20m` or `2h`.",
  },
  task: {
    type: "string",
    valueHint: "ID",
    description: "The task that waits for the answer (else your current one).",
  },
  noTask: { type: "boolean", description: "Link no task except those that the text names." },
  file: {
    type: "string",
    multiple: true,
    valueHint: "NAME[@V]",
    description:
      "Ask a person to approve this file; the first option approves it. May be repeated.",
  },
  answer: {
    type: "string",
    valueHint: "MSG",
    description: "Answer an ask: with `--option`, with a text, or both.",
  },
  option: { type: "string", valueHint: "K", description: "The option that the answer chooses." },
  withdraw: {
    type: "string",
    valueHint: "MSG",
    description: "Take an ask of yours back; the text says why.",
  },
  open: { type: "boolean", description: "List the asks that are open." },
  limit: {
    type: "string",
    valueHint: "N",
    description: `With \`--open\`: at most N of each kind (1 to ${mostListed}, else ${listedUnlessSaid}).`,
  },
  ...retryFlag,
  ...actorFlags,
} as const satisfies Args;
type AskFlags = Parsed<typeof askArgs>;

type Form = "ask" | "answer" | "withdraw" | "open";

/** The flags of a new ask. */
const ofNewAsks = ["goingWith", "at", "task", "noTask", "file"] as const;

/** Which form of `ask` the flags ask for. Refuses flags that do not go together. */
export function formOf(flags: AskFlags): Form {
  const [own = "ask", second] = (["answer", "withdraw", "open"] as const).filter((form) =>
    isGiven(flags[form]),
  );
  if (flags.option !== undefined && own !== "answer")
    throw usageError("`--option` chooses an answer.", "Name the ask: `--answer MSG --option K`.");
  if (flags.limit !== undefined && own !== "open")
    throw usageError("`--limit` is for the list of asks.", "Write `ask --open --limit N`.");
  if (own === "ask") return own;
  const other = ofNewAsks.find((name) => isGiven(flags[name])) ?? second;
  if (other)
    throw usageError(
      `--${own} and --${flagName(other)} do not go together.`,
      "Leave one of them out.",
    );
  if (own === "open" && flags.words.length > 0)
    throw usageError("`ask --open` lists asks and asks nothing.", "Leave out the text.");
  return own;
}

const isGiven = (value: AskFlags[keyof AskFlags]) =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** Whether a word names whom to ask: any word with an `@`. The server refuses a name that nobody can have. */
const addressed = /^@\S*$/;

/** The ask to post: the question, its options, and the member to ask if one is named. */
export function askBody(flags: AskFlags, clock: Clock): PostBody {
  const [first = "", ...others] = flags.words;
  const isName = addressed.test(first);
  const [body = "", ...options] = isName ? others : flags.words;
  if (body.trim() === "")
    throw usageError(
      "There is no question.",
      'Write it in quotes, then the options: `service ask @rex "Which one?" "This" "That"`.',
    );
  if (isOneWord(body) && options.length > 0 && options.every(isBare)) throw unquoted(body, options);
  if (!isName && isOneWord(body) && mayBeName.test(body) && asks(options[0]))
    throw usageError(
      `${body} is written where the question belongs, and a question comes after it.`,
      `To ask a member, write @ before the name: @${body}. A question of one word ends with a question mark.`,
    );
  if (options.length > mostOptions)
    throw usageError(
      `There are ${options.length} options, and ${mostOptions} are the most.`,
      "The first text is the question and each one after it an option: put each in quotes.",
    );
  const about = aboutOf(flags);
  const files = flags.file.map(versionOf);
  return {
    body,
    ...(isName && { to: [first] }),
    ...(about && { about }),
    ...(files.length > 0 && { files }),
    ask: {
      options,
      ...(flags.goingWith !== undefined && { going_with: flags.goingWith }),
      ...goingAt(flags, clock),
      ...(files.length > 0 && { approval: true }),
    },
  };
}

const isBare = (text: string) => !/\s/.test(text);
const mayBeName = /^[a-z0-9-]+$/;
const asks = (text = "") => /[?？؟]$/.test(text.trimEnd());

/** Whether a question is one word that asks nothing by itself, in a script that puts spaces between words. */
export const isOneWord = (question: string): boolean =>
  isBare(question) &&
  !asks(question) &&
  !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u.test(question);

/** The hint repeats only the question: the flags stay as they were typed. */
function unquoted(first: string, others: readonly string[]) {
  const whom = mayBeName.test(first) ? ` To ask a member, write @ before the name: @${first}.` : "";
  return usageError(
    `Unexpected argument: ${others[0]}. The question is one argument.`,
    `Put it in quotes: ${shellWord([first, ...others].join(" "))}. Its options come after it, each in quotes too; a question of one word ends with a question mark.${whom}`,
  );
}

/** The board file to approve and its version: the latest if none is given. */
function versionOf(text: string): { file: string; version?: number } {
  const [, file, version] = /^([^@]+)(?:@([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (file !== undefined) return { file, ...(version && { version: Number(version) }) };
  throw usageError(
    `${text} names no version of a file.`,
    "Write the file's name, and after an `@` its version: `--file plan.md@2`.",
  );
}

function goingAt({ goingWith, at }: AskFlags, clock: Clock): { going_at?: string } {
  if (at === undefined) return {};
  if (goingWith === undefined)
    throw usageError("`--at` says when you go ahead.", "Say with what: `--going-with CHOICE`.");
  const going_at = untilTime(clock, at, "--at");
  if (Date.parse(going_at) > clock.now()) return { going_at };
  throw usageError(
    `${at} has passed today.`,
    "Name a later time, or leave `--at` out to go ahead at once.",
  );
}

/** The reason for withdrawing an ask. */
export const whyOf = (words: readonly string[]): string =>
  onlyText(words, "reason") ?? "I need no answer any more.";

/** The answer to an ask: a text, an option, or both. */
export function choiceOf({ words, option }: AskFlags): { text: string | null; option?: number } {
  const text = onlyText(words, "answer");
  if (option !== undefined) return { text, option: integer("--option", option, 1, mostOptions) };
  if (text !== null) return { text };
  throw usageError(
    "There is no answer.",
    'Choose an option or say it in words: `service ask --answer 12 --option 1`, `service ask --answer 12 "TEXT"`.',
  );
}

function onlyText(words: readonly string[], what: string): string | null {
  const [text, more] = words;
  if (more !== undefined)
    throw usageError(
      `Unexpected argument: ${more}. The ${what} is one argument.`,
      `Put it in quotes: ${shellWord(words.join(" "))}`,
    );
  return text === undefined || text.trim() === "" ? null : text;
}
