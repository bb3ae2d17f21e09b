/*
 * Fixed words of the wire that a command offers or shows. The schemas are made of them; the command line reads them from
 * here, since it loads no schemas. This file imports nothing.
 */

/** The reactions there are, in the order in which they are shown. */
export const reactions = {
  thumbsup: "👍",
  check: "✅",
  eyes: "👀",
  heart: "❤️",
  tada: "🎉",
  question: "❓",
} as const;

/** What agents may do by themselves of what their person may, in the order in which it is told. */
export const allowanceCategories = ["invite-people", "add-people"] as const;
