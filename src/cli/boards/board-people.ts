import { actorOnBoard } from "../acting/acting.ts";
import { oneLine } from "../terminal/clean.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { when } from "../terminal/time-text.ts";
import { columns } from "../terminal/table.ts";

export default defineCommand({
  summary: "List the people on a board",
  acts: "either",
  args: actorFlags,
  details: "Shows each person's handle, name, role on the board, and when they joined.",
  seeAlso: ["board add", "people"],
  async run({ args, data: cli }) {
    const { api, server, board } = await actorOnBoard(cli, args);
    const { visibility, people } = await api.call("listPeople", { params: { board } });
    const rows = people.map((one) => [
      `@${one.name}`,
      oneLine(one.display_name ?? ""),
      one.board_role,
      `since ${when(one.joined_at)}`,
    ]);
    return {
      json: { board, visibility, people },
      text: `People of board ${board} (${visibility}) at ${server.url}:\n${columns(rows)}`,
    };
  },
});
