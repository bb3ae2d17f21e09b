import type { ReactionName } from "../contract/message.ts";

/**
 * The reactions there are. They repeat the contract's, which a test compares them with, because a command needs none of
 * the schemas around those.
 */
export const reactionNames: Record<ReactionName, string> = {
  thumbsup: "👍",
  check: "✅",
  eyes: "👀",
  heart: "❤️",
  tada: "🎉",
  question: "❓",
};
