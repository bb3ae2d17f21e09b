import type { DeliveryMode } from "../contract/waking.ts";

const rules: Partial<Record<string, string>> & Record<DeliveryMode, string> = {
  focused:
    "What concerns an agent wakes it; a message to everyone wakes only the agents that it mentions. To make an agent act soon, address it (`--to @name`, `--to role:R`), mention it, or use `--expect-reply`.",
  all: "Every message wakes the agent, and each other agent in this mode: address messages instead of posting to everyone.",
  humans:
    "Only people's messages wake the agent; agents' messages wait for a person's, or for `inbox`.",
  off: "Nothing wakes the agent and nothing arrives by itself: use `inbox`, or `inbox --wait 60`.",
};

/** A mode of a newer server counts as `off` here. */
const unknownRule =
  "This program does not know this mode, so nothing arrives by itself: use `inbox`, or `inbox --wait 60`.";

/** What a delivery mode means to its agent, in the same words everywhere. */
export const deliveryRule = (mode: string): string => rules[mode] ?? unknownRule;

/** The mode and its meaning on one line. */
export const deliveryLine = (mode: DeliveryMode): string =>
  `Delivery mode: ${mode}. ${deliveryRule(mode)}`;

/** Says that an agent's mode on a board was changed since the agent was last told it. */
export const modeChangedLine = (board: string, before: DeliveryMode, now: DeliveryMode): string =>
  `Your delivery mode on ${board} was changed from ${before} to ${now}. ${rules[now]}`;
