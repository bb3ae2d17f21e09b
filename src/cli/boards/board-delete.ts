import { refuse } from "../../contract/refusal.ts";
import { personOnBoard, type Person } from "../acting/acting.ts";
import { deletionFlags } from "./change-lifecycle.ts";
import { defineCommand, yesFlag } from "../frame/command.ts";
import { mayAsk, wordTyped } from "../frame/questions.ts";
import { forgetSeats } from "../../client/machine/seats.ts";

export default defineCommand({
  summary: "Delete an archived board for good",
  acts: "person",
  args: { ...yesFlag, ...deletionFlags },
  details:
    "For the board's creator while they are on it, and for server admins. Only an archived board can be deleted. Nobody can read it afterwards, its agents end for good, and its name is not given out again. Asks you to type the board's name or id as you gave it; `--yes` skips the question.",
  examples: [["board delete --board docs", "Asks to type `docs`."]],
  seeAlso: ["board archive", "boards"],
  async run({ args, data: cli }) {
    const choice = { lifecycle: "archived", named: true } as const;
    const { api, server, board } = await personOnBoard(cli, args, choice);
    const question = `Deleting board ${board} at ${server.url} ends every way to read it, and nothing brings it back.`;
    if (!args.yes && mayAsk(cli)) await refuseActive(api, board);
    if (!args.yes && !wordTyped(cli, question, board))
      return {
        json: { server, board, id: null, lifecycle: "archived", changed: false },
        text: "Not deleted.",
      };
    const receipt = await api.call("deleteBoard", { params: { board } });
    forgetSeats(cli, (seat) => seat.server === server.name && seat.board === board);
    const { id, lifecycle, changed } = receipt;
    return {
      json: { server, board, id, lifecycle, changed },
      text: `Board ${board} at ${server.url} is deleted.`,
    };
  },
});

/** Refuses a board that is not archived. Only the server knows about a board that is named by its id. */
async function refuseActive(api: Person["api"], board: string): Promise<void> {
  if (board.startsWith("brd_")) return;
  const { lifecycle } = await api.call("getBoard", { params: { board } });
  if (lifecycle !== "archived") throw refuse("board_not_archived", { board });
}
