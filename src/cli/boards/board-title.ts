import { asAgentOrPerson, boardOf } from "../acting/acting.ts";
import { oneLine } from "../terminal/clean.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";

export default defineCommand({
  summary: "Change a board's title",
  acts: "either",
  args: {
    text: {
      type: "positional",
      multiple: true,
      description: 'The new title; `""` removes it.',
    },
    ...agentFlags,
    ...serverFlag,
  },
  details: "For the board's owners and their agents.",
  seeAlso: ["boards", "board prefix"],
  async run({ args, data: cli }) {
    const actor = await asAgentOrPerson(cli, args);
    const params = { board: await boardOf(cli, actor, args) };
    const { title: before } = await actor.api.call("getBoard", { params });
    const { title: after } = await actor.api.call("updateBoard", {
      params,
      body: { title: args.text.join(" ") },
    });
    const shown = after === null ? "no title" : `the title ${oneLine(after)}`;
    return {
      json: { board: params.board, before, after },
      text: `Board ${params.board} at ${actor.server.url} has ${shown}.`,
    };
  },
});
