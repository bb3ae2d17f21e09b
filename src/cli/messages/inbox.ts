import { listedUnlessSaid, mostListed } from "../../contract/limits.ts";
import { asAgent, type Agent } from "../acting/acting.ts";
import { agentFlags, defineCommand } from "../frame/command.ts";
import { ownAsksIn } from "./answered-asks.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { bundled } from "../../agent-text/message-element.ts";
import { wrapped } from "./delivery-text.ts";
import { header } from "./message-text.ts";
import { counted } from "../terminal/table.ts";
import { typedWith } from "../frame/suggest.ts";
import { integer } from "../frame/values.ts";
import { untilSome, waitSeconds } from "../connection/waiting.ts";
import { inboxNudges } from "./work-nudges.ts";
import type { Cli } from "../frame/cli.ts";

export default defineCommand({
  summary: "Receive what waits for an agent, or wait for it",
  acts: "agent",
  inSubagent: (args) => args.peek,
  args: {
    wait: {
      type: "string",
      valueHint: "SECONDS",
      description: "Wait for the next message, at most an hour.",
    },
    peek: { type: "boolean", description: "Show them and leave them waiting." },
    limit: {
      type: "string",
      valueHint: "N",
      description: `At most so many (${listedUnlessSaid}; up to ${mostListed}).`,
    },
    ...agentFlags,
  },
  details:
    "The messages that are addressed to the agent or mention it and that it has not received, oldest first. What is shown counts as received. A wait is not ended by messages that wake nobody (`say --fyi`); they come with the next one that does.",
  examples: [
    ["inbox --wait 60", "Wait up to a minute for the next message."],
    ["inbox --peek --json", "Look, and leave everything waiting."],
  ],
  seeAlso: ["say", "read", "delivery"],
  async run({ args, data: cli }) {
    const limit = integer("--limit", args.limit ?? `${listedUnlessSaid}`, 1, mostListed);
    const seconds = args.wait === undefined ? 0 : waitSeconds("--wait", args.wait);
    const agent = asAgent(cli, args);
    const { board, agent: name, messages, more, work } = await waiting(cli, agent, limit, seconds);
    const last = args.peek ? undefined : messages.at(-1)?.seq;
    // We acknowledge before we print: if the server refuses, nothing is printed.
    if (last !== undefined) await agent.api.call("ackInbox", { body: { up_to: last } });
    const typed = typedWith(cli, args);
    const own = await ownAsksIn(cli, agent, messages);
    const texts = messages.map((message) => wrapped(message, typed, own));
    const bundle = bundled(board, texts);
    const nudges = inboxNudges(cli, agent, work, typed);
    const acked_up_to = last ?? null;
    const shown = bundle
      ? [
          header(board, counted(messages.length, "message", "messages")),
          bundle,
          ...(more ? [`More wait: ${typed("inbox")}`] : []),
        ]
      : [`Nothing new on ${board}. ${typed("inbox --wait 60")} waits for the next message.`];
    return {
      json: {
        board,
        agent: name,
        messages,
        acked_up_to,
        more,
        wrapped: texts,
        bundle,
        work,
        nudges,
      },
      text: [...shown, ...nudges.map(({ text }) => text)].join("\n"),
    };
  },
});

/**
 * The waiting messages, or those that are there once one within the seconds wakes the agent. Every look of a wait is one
 * that may wait: only such a look leaves quiet messages where they are.
 */
async function waiting(cli: Cli, { api, server, seat }: Agent, limit: number, seconds: number) {
  if (seconds === 0) return api.call("getInbox", { query: { limit } });
  const first = await api.call("getInbox", { query: { limit, wait: 1 } });
  if (first.messages.length) return first;
  const quiet = quietApi(cli, server, seat.token);
  const next = await untilSome(cli.clock, seconds - 1, async (wait) => {
    if (wait === 0) return null;
    const inbox = await quiet.call("getInbox", { query: { limit, wait } });
    return inbox.messages.length ? inbox : null;
  });
  return next ?? first;
}
