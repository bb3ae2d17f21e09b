import type { EventFrom } from "../../client/client.ts";
import type { Reaching } from "../../contract/waking.ts";

type InboxEvent = EventFrom<"streamInbox">;
/** A message as an inbox's stream gives it. */
export type Message = Extract<InboxEvent, { event: "messages" }>["data"]["messages"][number];

/** Whom a message reaches: the agent of a seat. */
export interface Recipient {
  readonly id: string;
  readonly name: string;
}

/** What a message is to the agent whose inbox holds it. */
export function reachingOf(message: Message, { id, name }: Recipient): Reaching {
  const { to, mentions, quiet, damped } = message;
  const own = mentions.filter((mention) => mention.id === id);
  // Whoever is neither named nor mentioned has the message in the inbox by its role or its person.
  const isNamed = to.some((target) => target === `@${name}` || /^(role|owner):/.test(target));
  return {
    fromPerson: message.from.kind === "human",
    addressed: !to.includes("all") && (isNamed || own.length === 0),
    mentioned: own.some((mention) => mention.wakes),
    repliesToIt: message.reply_to_from === name,
    expectsReply: message.expects_reply,
    urgent: message.urgent,
    silent: quiet === true || damped?.includes(id) === true,
  };
}
