import { sessionForSeat } from "../acting/in-session.ts";
import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { policyNotice } from "./policy-text.ts";
import { bold } from "../terminal/style.ts";
import { flagsTo, portable, typedWith } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Make a board",
  acts: "session",
  args: {
    name: { type: "positional", description: "The board's name: a-z, 0-9 and dashes." },
    title: { type: "string", valueHint: "TEXT", description: "A title for people." },
    private: { type: "boolean", description: "Only its members know that it exists." },
    ...serverFlag,
  },
  details:
    "Makes a board, in a terminal without any agent. In a session the agent gets a seat on it, and the board is its person's. `pair` makes a board with a seat and a join code.",
  examples: [["board new release --title 'Release 2.0'", "An open board."]],
  seeAlso: ["pair", "invite", "board add"],
  async run({ args, data: cli }) {
    const session = sessionForSeat(cli, "agent_session_required");
    if (session !== null) {
      const { newInSession } = await import("./new-in-session.ts");
      return newInSession(cli, session, args);
    }
    const { api, server } = await asPerson(cli, args);
    const board = await api.call("createBoard", {
      body: {
        name: args.name,
        template: "general",
        ...(args.title && { title: args.title }),
        ...(args.private && { visibility: "private" as const }),
      },
    });
    const flags = { board: board.name, ...flagsTo(cli, server) };
    const typed = typedWith(cli, flags);
    const join_command = portable({ words: "invite", flags });
    return {
      json: { server, board, policy_notice: policyNotice(board.policy), join_command },
      text: [
        `Board ${bold(board.name)} (${board.visibility}) at ${server.url}; you own it.`,
        `A code for an agent of yours: ${typed("invite")}`,
        `Another person: ${typed("board add @handle")}`,
      ].join("\n"),
    };
  },
});
