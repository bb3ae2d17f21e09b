import { listedUnlessSaid, mostListed } from "../../contract/limits.ts";
import { boardOf, type Actor } from "../acting/acting.ts";
import { askArgs, askBody, choiceOf, formOf, isOneWord, whyOf } from "./form.ts";
import { openAsks } from "./list.ts";
import { textOfOption } from "../messages/option-text.ts";
import { usageError } from "../../client/machine/local-error.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand } from "../frame/command.ts";
import { boardIn, messageId } from "../messages/message-reference.ts";
import { post, type PostBody } from "../messages/posting.ts";
import { sentText } from "../messages/sent-text.ts";
import { selectionOf } from "../acting/place-of.ts";
import { words, type Typed } from "../frame/suggest.ts";
import { integer } from "../frame/values.ts";

export default defineCommand({
  summary: "Ask one member to decide, or see what is asked",
  acts: "either",
  args: askArgs,
  details:
    "Asks one member. The task is blocked until somebody answers, unless `--going-with` says what you do meanwhile. An agent that names nobody asks its own person. `--open` shows an agent the asks from it and to it, and a person the asks to them on all boards. `--answer` answers one.",
  examples: [
    ['ask "Which licence?" "MIT" "Apache 2.0"', "As an agent, ask your own person."],
    ['ask @rex "Merge it now?" --going-with "I merge it" --at 20m', "Go ahead in 20 minutes."],
    ['ask @ana "Good to print?" "Yes" "No" --file plan.md', "Ask a person to approve a file."],
    ['ask --withdraw 12 "I found it"', "Take an ask back."],
    ["ask --open", "See what waits for an answer."],
    ["ask --answer 12 --option 1", "Answer with the first option."],
    ['ask --answer 12 "Neither, ask legal"', "Answer in words."],
  ],
  seeAlso: ["say", "inbox", "task show"],
  async run({ args, data: cli }) {
    const form = formOf(args);
    const ready = form === "ask" ? askBody(args, cli.clock) : null;
    const reason = form === "withdraw" ? whyOf(args.words) : "";
    const choice = form === "answer" ? choiceOf(args) : null;
    const limit = integer("--limit", args.limit ?? `${listedUnlessSaid}`, 1, mostListed);
    const wanted = { task: args.task, needs: ["asks"] } as const;
    const { actor, flags, typed, hinted } = await selectionOf(cli, args, wanted);
    if (form === "open") return openAsks(actor, args.board, limit, typed);
    const named = flags.board ?? boardIn(args.answer ?? args.withdraw);
    const board = await boardOf(cli, actor, { board: named });
    const place = { ...actor, board };
    if (ready) {
      await refuseBareName(actor, board, ready, hinted);
      return posted(cli, actor, { board, body: ready, retry: args.retry }, typed);
    }
    const reply_to = await messageId(place, (args.answer ?? args.withdraw)!);
    const body = choice
      ? await answerBody(actor, reply_to, choice)
      : { body: reason, reply_to, answer: { withdrawn: true } };
    return posted(cli, actor, { board, body, retry: args.retry }, typed);
  },
});

/** Refuses a member's name in place of the question: without its `@`, the ask would go to somebody else. */
async function refuseBareName(
  { api }: Actor,
  board: string,
  { body, to, ask }: PostBody,
  hinted: Typed,
): Promise<void> {
  const options = ask?.options ?? [];
  if (to !== undefined || options.length === 0 || !isOneWord(body)) return;
  const { members } = await api.call("listMembers", { params: { board } });
  if (!members.some(({ name }) => name === body.toLowerCase())) return;
  throw usageError(
    `${body} is a member of board ${board}, but is written where the question belongs.`,
    `Write @${body.toLowerCase()} to ask them: ${hinted(words`ask ${[`@${body.toLowerCase()}`, ...options]}`)}`,
  );
}

async function answerBody(
  actor: Actor,
  reply_to: string,
  { text, option }: ReturnType<typeof choiceOf>,
): Promise<PostBody> {
  const body = text ?? (await textOfOption(actor, reply_to, option!));
  return { body, reply_to, answer: option === undefined ? {} : { option } };
}

async function posted(cli: Cli, actor: Actor, posting: Parameters<typeof post>[2], typed: Typed) {
  const sent = await post(cli, actor, posting, typed);
  const { message, recipients, nudges } = sent;
  return { json: { message, recipients, nudges }, text: sentText(sent, typed) };
}
