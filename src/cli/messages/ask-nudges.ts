import type { Candidate } from "../../client/machine/shown-nudges.ts";
import type { Typed } from "../frame/suggest.ts";
import type { Message } from "./message-types.ts";

/** Phrases of somebody who waits for a decision. */
const waiting = [
  "i am blocked",
  "i'm blocked",
  "we are blocked",
  "we're blocked",
  "blocked on",
  "blocked until",
  "waiting for you",
  "waiting on you",
  "waiting for a decision",
  "waiting for approval",
  "need your decision",
  "need a decision",
  "needs your decision",
  "need you to decide",
  "need your approval",
  "please decide",
  "awaiting your",
  "until you decide",
];

/** The nudges for an ask without options, and for a message that should have been an ask. */
export function askNudges({ body, ask, answer }: Message, typed: Typed): Candidate[] {
  if (ask && ask.options.length === 0)
    return [
      {
        code: "ask_options",
        text: `An ask with options is answered in one step: ${typed("ask QUESTION OPTION OPTION")}`,
        rate: { everySeconds: 24 * 60 * 60 },
      },
    ];
  const words = body.toLowerCase().replaceAll("’", "'");
  if (ask || answer || !waiting.some((phrase) => words.includes(phrase))) return [];
  return [
    {
      code: "ask_instead",
      text: `Whoever waits for a decision asks for it, so that it is seen: ${typed("ask QUESTION OPTION OPTION")}`,
      rate: { everySeconds: 60 * 60 },
    },
  ];
}
