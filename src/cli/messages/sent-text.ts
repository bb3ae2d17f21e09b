import { mostExchanges, mostWokenByMention } from "../../contract/limits.ts";
import type { Recipient, Unread, Outcome, warningOf } from "./delivery-outcomes.ts";
import { outcomes } from "./delivery-outcomes.ts";
import type { Nudge } from "../../client/machine/shown-nudges.ts";
import { bold, dim, yellow } from "../terminal/style.ts";
import { columns, counted } from "../terminal/table.ts";
import { attachedTo } from "./attached-text.ts";
import { referencesOf, targetList } from "./message-text.ts";
import type { Message } from "./message-types.ts";
import { oneLine } from "../terminal/clean.ts";
import type { Typed } from "../frame/suggest.ts";
import { unknownMentionsText, type UnknownMention } from "./unknown-mentions.ts";

const words: Record<Outcome, string> = {
  now: "woken now",
  turn_end: "when the turn ends",
  next_turn: "with the next turn",
  not_woken: "not woken",
  no_session: "disconnected",
  cannot_read: "cannot read it",
  over_limit: `beyond ${mostWokenByMention} mentions`,
  person: "people",
};
const shownNames = 5;

interface Sent {
  readonly message: Message;
  readonly unread: Unread | null;
  readonly recipients: readonly Recipient[] | null;
  /** Names of the agents that it does not wake because they and the sender have only been waking each other. */
  readonly damped?: readonly string[];
  readonly warning?: ReturnType<typeof warningOf>;
  readonly nudges: readonly Nudge[];
  readonly unknown_mentions?: readonly UnknownMention[];
}

/** The answer to a post: the message, its outcomes, and the messages that wait for the sender. */
export function sentText(
  { message, unread, recipients, damped, warning, nudges, unknown_mentions: unknown }: Sent,
  typed: Typed,
): string {
  const { board } = message;
  const about = referencesOf(message);
  const files = attachedTo(message);
  return [
    `${doneWith(message)}${notWaking(message, damped) ?? ` on ${bold(board)}`}${about.length > 0 ? ` · about ${about.join(", ")}` : ""}${files.length > 0 ? ` · with ${files.join(", ")}` : ""}`,
    ...(unread?.count ? [unreadLine(unread, typed)] : []),
    ...(recipients?.length ? [columns(groups(recipients))] : []),
    ...(unknown ? [yellow(unknownMentionsText(board, unknown))] : []),
    ...(warning ? [yellow(`${warning.message} ${warning.hint}`)] : []),
    ...nudges.map(({ text }) => text),
  ].join("\n");
}

/** Why a message does not wake agents that it would have woken; null if it wakes as any other. */
function notWaking(
  { damped, ring, quiet, board }: Message,
  dampedNames: readonly string[] | undefined,
): string | null {
  if (quiet) return ` on ${bold(board)} · wakes nobody`;
  if (!damped) return null;
  const whom = dampedNames
    ? names(dampedNames.map((name) => ({ name })))
    : counted(damped.length, "agent", "agents");
  const why = ring
    ? "several agents keep waking each other"
    : `${mostExchanges} messages between you`;
  return ` · does not wake ${whom}: ${why} and nothing else happened. Ask your person, or go on with a task.`;
}

/** The message's number and its outcomes at recipients. */
function doneWith({ seq, to, ask, answer }: Message): string {
  const number = bold(`#${seq}`);
  if (ask) return `Asked ${targetList(to)} with ${number}`;
  const done = answer
    ? `${answer.withdrawn ? "Withdrew" : "Answered"} #${answer.ask_seq} with`
    : "Sent";
  return `${done} ${number} to ${targetList(to)}`;
}

function unreadLine({ count, seqs, from }: Unread, typed: Typed): string {
  const senders = `${count > seqs.length ? "the oldest " : ""}from ${names(from)}`;
  return `${counted(count, "message waits", "messages wait")} for you, ${senders}: ${typed("inbox")}`;
}

const groups = (recipients: readonly Recipient[]): string[][] =>
  outcomes.flatMap((outcome) => {
    const there = recipients.filter((one) => one.outcome === outcome);
    return there.length ? [[dim(words[outcome]), names(there)]] : [];
  });

/** At most five names, then the number of the others. */
function names(list: readonly { readonly name: string }[]): string {
  const shown = list.slice(0, shownNames).map(({ name }) => `@${oneLine(name)}`);
  const more = list.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
