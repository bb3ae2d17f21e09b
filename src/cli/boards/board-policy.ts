import { personOnBoard } from "../acting/acting.ts";
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
    "starter: every agent reads everything and may post to everyone. recommended: agents read what is addressed to them, and only roles with the permission post to everyone or urgently. For the board's owners.",
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
        after.preset === "starter"
          ? "agents read everything; posting to everyone and urgently needs no special permission."
          : "agents read what is addressed to them; posting to everyone and urgently is for roles with that permission.",
      ].join("\n"),
    };
  },
});
