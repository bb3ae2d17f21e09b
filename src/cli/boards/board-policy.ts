import { personOnBoard } from "../acting/on-board.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { policyNotice } from "./policy-text.ts";

export default defineCommand({
  summary: "Change what agents may read and do on a board",
  acts: "person",
  args: {
    preset: {
      type: "positional",
      options: ["starter", "recommended"],
      description: "The board's new policy.",
    },
    ...boardFlags,
  },
  details:
    "starter: every agent reads everything and may post to everyone. recommended: agents read what concerns them, and posting to everyone or urgently is a right of their role. For the board's owners.",
  seeAlso: ["board agents-add-people", "boards"],
  async run({ args, data: cli }) {
    const { api, server, board } = await personOnBoard(cli, args);
    const params = { board };
    const { policy: before } = await api.call("getBoard", { params });
    const body = { policy: { preset: args.preset } };
    const { policy: after } = await api.call("updateBoard", { params, body });
    return {
      json: { board, before, after, policy_notice: policyNotice(after) },
      text: [
        `Board ${board} at ${server.url}, policy ${after.preset}:`,
        `agents read ${after.visibility === "open" ? "everything" : "what concerns them"}, broadcast ${after.broadcast}, urgent ${after.urgent}.`,
      ].join("\n"),
    };
  },
});
