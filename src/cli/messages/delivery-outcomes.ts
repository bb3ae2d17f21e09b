import { listedUnlessSaid } from "../../contract/limits.ts";
import type { Client } from "../../client/client.ts";
import { wakes, type Reaching } from "../../contract/waking.ts";
import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";
import type { Message, Work } from "./message-types.ts";

type Member = Output<Operations["listMembers"]>["members"][number];

/** The possible outcomes of a message at one recipient, in the order in which they are shown. */
export const outcomes = [
  "now",
  "turn_end",
  "next_turn",
  "not_woken",
  "no_session",
  "cannot_read",
  "over_limit",
  "person",
] as const;
export type Outcome = (typeof outcomes)[number];

export interface Recipient {
  readonly name: string;
  readonly mentioned: boolean;
  readonly presence: Member["presence"];
  /** The mode that decides what wakes an agent; null for a person. */
  readonly delivery: Member["delivery"];
  readonly outcome: Outcome;
}

/** The messages that wait for the sender. Numbers and senders are listed for the oldest 50. */
export interface Unread {
  readonly count: number;
  readonly seqs: readonly number[];
  readonly from: readonly { readonly name: string; readonly sender: string }[];
}

/** Everyone whom a message addresses or mentions, except its sender, each with its outcome. */
export function recipientsOf(
  message: Message,
  members: readonly Member[],
  senderId: string,
): Recipient[] {
  return members.flatMap((member) => {
    const mention = message.mentions.find(({ id }) => id === member.id);
    if (member.id === senderId || !(mention || addresses(message, member))) return [];
    return {
      name: member.name,
      mentioned: mention !== undefined,
      presence: member.presence,
      delivery: member.delivery_mode ?? member.delivery,
      outcome: outcomeAt(member, message, mention?.reason ?? null),
    };
  });
}

function outcomeAt(
  member: Member,
  message: Message,
  reason: Message["mentions"][number]["reason"],
): Outcome {
  if (member.kind === "human") return "person";
  if (reason === "cannot_read" && !addresses(message, member)) return "cannot_read";
  if (member.presence === null || member.presence === "no_session") return "no_session";
  const mode = member.delivery_mode ?? "focused";
  if (wakes(mode, reachingOf(message, member)))
    return member.presence === "idle" ? "now" : "turn_end";
  if (mode === "off" || (mode === "humans" && message.from.kind === "agent")) return "not_woken";
  return reason === "limit" ? "over_limit" : "next_turn";
}

/** What a message is to a member that it reaches. */
function reachingOf(message: Message, member: Member): Reaching {
  const { id, name } = member;
  return {
    fromPerson: message.from.kind === "human",
    addressed: !message.to.includes("all") && addresses(message, member),
    mentioned: message.mentions.some((mention) => mention.id === id && mention.wakes),
    repliesToIt: message.reply_to_from === name,
    expectsReply: message.expects_reply,
    urgent: message.urgent,
    silent: message.quiet === true || message.damped?.includes(id) === true,
  };
}

/** Whether a message's targets name a member, everyone included. Targets of an unknown kind name nobody. */
function addresses({ to }: Pick<Message, "to">, member: Member): boolean {
  return to.some(
    (target) =>
      target === "all" ||
      target === `@${member.name}` ||
      (member.role !== null && target === `role:${member.role}`) ||
      (member.kind === "agent" && target === `owner:${member.owner}`),
  );
}

/** The agent's waiting messages, and its tasks. */
export async function waitingFor(
  api: Client,
  board: string,
  received: ReadonlySet<number>,
): Promise<{ unread: Unread; work: Work | undefined }> {
  const { messages, more, work } = await api.call("getInbox", {
    query: { limit: listedUnlessSaid },
  });
  const known = more ? (await api.call("getBoard", { params: { board } })).unread : undefined;
  const waiting = messages.filter(({ seq }) => !received.has(seq));
  const senders = new Map(waiting.map(({ from, sender }) => [from.name, sender]));
  const unread = {
    count: known === undefined ? waiting.length : known - (messages.length - waiting.length),
    seqs: waiting.map(({ seq }) => seq),
    from: [...senders].map(([name, sender]) => ({ name, sender })),
  };
  return { unread, work };
}

/** The note when a message to everyone wakes nobody, though an agent could be woken. */
export function warningOf({ to, quiet, damped }: Message, recipients: readonly Recipient[]) {
  const some = (outcome: Outcome) => recipients.some((one) => one.outcome === outcome);
  if (quiet || damped) return null;
  if (!to.includes("all") || !some("next_turn") || some("now") || some("turn_end")) return null;
  return {
    code: "wakes_no_agent" as const,
    message: "This message wakes no agent: each gets it with its next turn.",
    hint: "To make an agent act soon, address it (`--to @NAME`), mention it (`@NAME`), or add `--expect-reply`.",
  };
}
