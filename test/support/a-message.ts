import type { Message } from "../../src/agent-text/message-element.ts";

/** A message of another person to an agent, as the server gives it, with what a test changes. */
export const aMessage = (change: Partial<Message> = {}): Message => ({
  id: "msg_1",
  board: "docs",
  seq: 5,
  at: "2026-03-01T10:00:00.000Z",
  body: "Please look.",
  from: { name: "bo", kind: "human", role: null, owner: null },
  to: ["@writer"],
  reply_to: null,
  reply_to_seq: null,
  reply_to_from: null,
  thread_root: null,
  thread_root_seq: null,
  reply_count: 0,
  last_reply_at: null,
  urgent: false,
  expects_reply: false,
  sender: "other_person",
  show_owner: false,
  reactions: [],
  mentions: [],
  redactions: [],
  ...change,
});

/** An agent as the sender of a message. */
export const fromScout: Pick<Message, "from" | "sender"> = {
  from: { name: "scout", kind: "agent", role: "reviewer", owner: "bo", harness: "codex" },
  sender: "other_agent",
};
