import { minuteSeconds } from "../time.ts";
import type { Kind } from "./item.ts";
import { messagesWaiting } from "./message-and-agents.ts";

/** Questions to the person's agents, asks among them, that had no reply for half an hour. */
export const lateAgents: Kind = (view) =>
  messagesWaiting(view, [...view.causes("late"), ...view.asks("agent")], {
    kind: "agent_late",
    seconds: 30 * minuteSeconds,
    title: (agents, several) =>
      `${agents} ${several ? "have" : "has"} not answered for half an hour`,
  });
