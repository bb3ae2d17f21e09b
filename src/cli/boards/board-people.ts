import { asAgentOrPerson, boardOf } from "../acting/acting.ts";
import { oneLine } from "../terminal/clean.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { when } from "../terminal/time-text.ts";
import { columns } from "../terminal/table.ts";

export default defineCommand({
  summary: "List the people on a board",
  acts: "either",
  args: { ...agentFlags, ...serverFlag },
  seeAlso: ["board add", "people"],
  async run({ args, data: cli }) {
    const actor = await asAgentOrPerson(cli, args);
    const board = await boardOf(cli, actor, args);
    const { visibility, people } = await actor.api.call("listPeople", { params: { board } });
    const rows = people.map((one) => [
      `@${one.name}`,
      oneLine(one.display_name ?? ""),
      one.board_role,
      `since ${when(one.joined_at)}`,
    ]);
    return {
      json: { board, visibility, people },
      text: `People of board ${board} (${visibility}) at ${actor.server.url}:\n${columns(rows)}`,
    };
  },
});
