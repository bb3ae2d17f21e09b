import { minuteSeconds } from "../time.ts";
import type { Kind } from "./item.ts";
import { messagesWaiting } from "./message-and-agents.ts";

/** Messages of the person, urgent or expecting a reply, that an agent has not received for ten minutes. */
export const undelivered: Kind = (view) =>
  messagesWaiting(view, view.causes("undelivered"), {
    kind: "not_delivered",
    seconds: 10 * minuteSeconds,
    title: (agents, several) => `${agents} ${several ? "have" : "has"} not received your message`,
  });
