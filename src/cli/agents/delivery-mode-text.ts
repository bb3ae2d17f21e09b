export type DeliveryMode = "focused" | "all" | "humans" | "off";

const rules: Record<DeliveryMode, string> = {
  focused:
    "A message to everyone wakes only the agents that it mentions; address or mention an agent, or use --expect-reply, to make it act soon.",
  all: "Every message wakes this agent and every other agent in this mode; address sparingly.",
  humans: "Only people's messages wake it; agents' messages wait for one, or for `inbox`.",
  off: "Nothing arrives by itself; use `inbox` or `inbox --wait`.",
};

export const deliveryRule = (mode: DeliveryMode): string => rules[mode];

/** The mode and its meaning on one line. */
export const deliveryLine = (mode: DeliveryMode): string =>
  `Delivery mode: ${mode}. ${rules[mode]}`;
