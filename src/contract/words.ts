/*
 * Fixed words of the wire that a command offers or shows. The schemas are made of them; the command line reads them from
 * here, since it loads no schemas. This file imports nothing.
 */

/** All reactions, in the order in which they are shown. */
export const reactions = {
  thumbsup: "👍",
  check: "✅",
  eyes: "👀",
  heart: "❤️",
  tada: "🎉",
  question: "❓",
} as const;

/** What a person can allow their agents to do without asking, in the order in which it is shown. */
export const allowanceCategories = ["invite-people", "add-people"] as const;
