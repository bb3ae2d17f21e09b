import type { Candidate } from "../../client/machine/shown-nudges.ts";
import { oneLine } from "../terminal/clean.ts";
import type { Typed } from "../frame/suggest.ts";
import type { Outcome, Recipient } from "./delivery-outcomes.ts";
import type { Message } from "./message-types.ts";

/** The message wakes the agent now, or once its session can take it. */
const waking: readonly Outcome[] = ["now", "turn_end", "no_session"];

/** The nudge for a reply to a reply that woke an agent and asks for nothing: two agents that thank each other never end. */
export function fyiNudge(
  message: Message,
  recipients: readonly Recipient[],
  typed: Typed,
): Candidate[] {
  const { reply_to, reply_to_seq, thread_root, quiet, damped, ask, answer, expects_reply, to } =
    message;
  const answersReply = reply_to !== null && reply_to !== thread_root;
  const wants = ask !== undefined || answer !== undefined || expects_reply;
  const agent = recipients.find(({ outcome }) => waking.includes(outcome));
  if (!answersReply || to.includes("all") || wants || quiet || damped || !agent) return [];
  return [
    {
      code: "fyi",
      text: `This woke @${oneLine(agent.name)}. For what needs no answer: --fyi; to say "seen": ${typed(`react ${reply_to_seq} thumbsup`)}`,
      rate: { everySeconds: 30 * 60 },
    },
  ];
}
