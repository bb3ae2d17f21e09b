import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { notForAgent } from "../frame/who-may-run.ts";
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
    "Makes a board without any agent. `pair` makes a board with a seat for an agent and a join code.",
  examples: [["board new release --title 'Release 2.0'", "An open board."]],
  seeAlso: ["pair", "invite", "board add"],
  async run({ args, data: cli }) {
    notForAgent(cli, "agent_session_required");
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
