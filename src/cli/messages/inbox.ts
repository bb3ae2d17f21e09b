import { listedUnlessSaid, mostListed } from "../../contract/limits.ts";
import type { Seat } from "../../client/machine/seats.ts";
import {
  agentIn,
  boardName,
  seatNamed,
  seatsOfSession,
  type Agent,
  type AgentFlags,
} from "../acting/acting.ts";
import { agentFlags, defineCommand } from "../frame/command.ts";
import { bundled } from "../../agent-text/message-element.ts";
import { answeredAsks, inboxText, readerOf } from "./delivery-text.ts";
import { header } from "./message-text.ts";
import { counted } from "../terminal/table.ts";
import { typedWith } from "../frame/suggest.ts";
import { integer } from "../frame/values.ts";
import { waitSeconds } from "../connection/waiting.ts";
import { readSeat } from "../local-daemon/read-seat.ts";
import { readInbox, type Look, type Shown } from "./read-inbox.ts";
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
    "The messages that are addressed to the agent or mention it and that it has not received, oldest first. What is shown counts as received, and what the agent's session has received by itself is left out. Of a long message its beginning is shown, with the command for the whole. With seats on several boards a session gets what waits on each. A wait is not ended by messages that wake nobody (`say --fyi`); they come with the next one that does.",
  examples: [
    ["inbox --wait 60", "Wait up to a minute for the next message."],
    ["inbox --peek --json", "Look, and leave everything waiting."],
  ],
  seeAlso: ["say", "read", "delivery"],
  async run({ args, data: cli }) {
    const limit = integer("--limit", args.limit ?? `${listedUnlessSaid}`, 1, mostListed);
    const seconds = args.wait === undefined ? 0 : waitSeconds("--wait", args.wait);
    const look = { limit, seconds, peek: args.peek };
    const several = severalSeats(cli, args);
    if (several.length > 1) {
      const { inboxOfSeats } = await import("./inbox-of-seats.ts");
      return inboxOfSeats(cli, several, look);
    }
    const agent = agentIn(cli, seatNamed(cli, args));
    const {
      board,
      agent: name,
      messages,
      more,
      work,
      up_to: acked_up_to,
    } = await received(cli, agent, look);
    const typed = typedWith(cli, args);
    const reader = readerOf(cli, agent, args, await answeredAsks(cli, agent, messages));
    const texts = messages.map((message) => inboxText(message, reader, typed));
    const bundle = bundled(board, texts, reader.seat);
    const nudges = inboxNudges(cli, agent, work, typed);
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

/** Reads the inbox, and acknowledges what it has read. What a session has received by itself is left out. */
async function received(cli: Cli, agent: Agent, look: Look): Promise<Shown> {
  const reading = await readSeat(cli, agent.seat);
  try {
    const inbox = await readInbox(cli, agent, reading, look);
    // We acknowledge before we print: if the server refuses, nothing is printed.
    if (inbox.up_to !== null) await agent.api.call("ackInbox", { body: { up_to: inbox.up_to } });
    if (inbox.up_to !== null) await reading.claim(inbox.messages.map(({ seq }) => seq));
    return inbox;
  } finally {
    reading.close();
  }
}

/** The seats of the session if it has several, and the flags name none of them. */
const severalSeats = (cli: Cli, flags: AgentFlags): Seat[] =>
  (flags.as ?? cli.env["SERVICE_AGENT"] ?? boardName(cli, flags)) ? [] : seatsOfSession(cli);
