import { actorOnBoard } from "../acting/acting.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Change the prefix of a board's task references",
  acts: "either",
  args: {
    prefix: { type: "positional", description: "Two to six capitals and digits, a capital first." },
    ...actorFlags,
  },
  details: "Task references begin with this prefix. For the board's owners and their agents.",
  examples: [["board prefix CHK", "References such as CHK-17."]],
  seeAlso: ["board title"],
  async run({ args, data: cli }) {
    const { api, server, board } = await actorOnBoard(cli, args);
    const params = { board };
    const { task_prefix: before } = await api.call("getBoard", { params });
    const body = { task_prefix: args.prefix };
    const { task_prefix: after } = await api.call("updateBoard", { params, body });
    return {
      json: { board, before, after },
      text: `Board ${board} at ${server.url} has the task prefix ${after}.`,
    };
  },
});
