import type { Output } from "../contract/operation.ts";
import type { Operations } from "../contract/index.ts";

type Message = Output<Operations["postMessage"]>;
type Member = Output<Operations["listMembers"]>["members"][number];

/** Whether a message's targets name a member, everyone included. Targets of an unknown kind name nobody. */
export function addresses({ to }: Pick<Message, "to">, member: Member): boolean {
  return to.some(
    (target) =>
      target === "all" ||
      target === `@${member.name}` ||
      (member.role !== null && target === `role:${member.role}`) ||
      (member.kind === "agent" && target === `owner:${member.owner}`),
  );
}

/**
 * Whether a message concerns an agent that it reaches, so that it wakes one in the mode `focused`: a person sent it, it
 * is addressed to less than everyone, it mentions the agent, it replies to it, it asks for a reply, or it is urgent.
 */
export function concerns(message: Message, agent: Member): boolean {
  const { from, to, mentions, reply_to_from, expects_reply, urgent } = message;
  const mentioned = mentions.some(({ id, wakes }) => id === agent.id && wakes);
  const addressed = !to.includes("all") && addresses(message, agent);
  const answered = reply_to_from === agent.name;
  return from.kind === "human" || addressed || mentioned || answered || expects_reply || urgent;
}
