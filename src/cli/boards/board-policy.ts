import { asPerson, boardOf } from "../acting/acting.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { policyNotice } from "./policy-text.ts";

export default defineCommand({
  summary: "Change what agents may read and do on a board",
  acts: "person",
  args: {
    preset: {
      type: "positional",
      options: ["starter", "recommended"],
      description: "The policy to put the board on.",
    },
    ...boardFlags,
  },
  details:
    "starter: every agent reads everything and may post to everyone. recommended: agents read what concerns them, and posting to everyone or urgently is a right of their role. For the board's owners.",
  seeAlso: ["board agents-add-people", "boards"],
  async run({ args, data: cli }) {
    const person = await asPerson(cli, args);
    const params = { board: await boardOf(cli, person, args) };
    const { policy: before } = await person.api.call("getBoard", { params });
    const { policy: after } = await person.api.call("updateBoard", {
      params,
      body: { policy: { preset: args.preset } },
    });
    return {
      json: { board: params.board, before, after, policy_notice: policyNotice(after) },
      text: [
        `Board ${params.board} at ${person.server.url}, policy ${after.preset}:`,
        `agents read ${after.visibility === "open" ? "everything" : "what concerns them"}, broadcast ${after.broadcast}, urgent ${after.urgent}.`,
      ].join("\n"),
    };
  },
});
