import { asPerson, matchingSeats, selectSeat, type ActorFlags } from "./acting.ts";
import type { Cli } from "../frame/cli.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { handle } from "../frame/values.ts";

/** The selected agent and its person. With `--as` and `--board` the agent may be on another machine. */
export async function ownAgentOf(cli: Cli, flags: ActorFlags) {
  const { as, board, server } = flags;
  if (server !== undefined && !(as && board))
    throw usageError(
      "Which agent on which board of that server?",
      "Add `--as NAME --board BOARD`, or leave out `--server`: an agent's seat here says where it is.",
    );
  const elsewhere = as && board && (server !== undefined || matchingSeats(cli, flags).length === 0);
  const seat = elsewhere ? null : selectSeat(cli, flags);
  return {
    person: await asPerson(cli, { server: server ?? seat?.server }),
    board: seat?.board ?? flags.board!,
    member: seat?.name ?? handle(flags.as!),
  };
}
