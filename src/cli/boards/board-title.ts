import { actorOnBoard } from "../acting/acting.ts";
import { oneLine } from "../terminal/clean.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Change a board's title",
  acts: "either",
  args: {
    text: {
      type: "positional",
      multiple: true,
      description: 'The new title; `""` removes it.',
    },
    ...actorFlags,
  },
  details: "For the board's owners and their agents.",
  seeAlso: ["boards", "board prefix"],
  async run({ args, data: cli }) {
    const { api, server, board } = await actorOnBoard(cli, args);
    const params = { board };
    const { title: before } = await api.call("getBoard", { params });
    const body = { title: args.text.join(" ") };
    const { title: after } = await api.call("updateBoard", { params, body });
    const shown = after === null ? "no title" : `the title ${oneLine(after)}`;
    return {
      json: { board, before, after },
      text: `Board ${board} at ${server.url} has ${shown}.`,
    };
  },
});
