import { asAgentOrPerson, boardOf } from "../acting/acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";

export default defineCommand({
  summary: "Change the prefix of a board's task references",
  acts: "either",
  args: {
    prefix: { type: "positional", description: "Two to six capitals and digits, a capital first." },
    ...agentFlags,
    ...serverFlag,
  },
  details: "The prefix of the board's task references. For the board's owners and their agents.",
  examples: [["board prefix CHK", "References such as CHK-17."]],
  seeAlso: ["board title"],
  async run({ args, data: cli }) {
    const actor = await asAgentOrPerson(cli, args);
    const params = { board: await boardOf(cli, actor, args) };
    const { task_prefix: before } = await actor.api.call("getBoard", { params });
    const { task_prefix: after } = await actor.api.call("updateBoard", {
      params,
      body: { task_prefix: args.prefix },
    });
    return {
      json: { board: params.board, before, after },
      text: `Board ${params.board} at ${actor.server.url} has the task prefix ${after}.`,
    };
  },
});
