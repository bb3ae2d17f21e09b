import { inSubagent } from "../../client/machine/harness.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { isCalled } from "../../client/machine/servers.ts";
import type { Cli } from "../frame/cli.ts";
import {
  boardName,
  isAgents,
  notSelected,
  seatsOn,
  serverOfSeat,
  type ActorFlags,
  type Speaker,
} from "./acting.ts";
import { agentPlaceOf, placeOf, type Place } from "./place-of.ts";

/** What else a command names that says where it acts. */
interface Named {
  readonly task?: string | undefined;
  /** The board in a reference to a message, such as `docs#6`. A person acts there if no board is chosen. */
  readonly board?: string | undefined;
}

/**
 * Who talks in a command that agents use, and where. The selected agent does; in a terminal without one, the person does
 * with `--me`, or if this machine has no seat that could be meant. `admitHere` has refused `--me` everywhere else.
 */
export async function speakingPlace(
  cli: Cli,
  flags: ActorFlags,
  { task, board }: Named = {},
): Promise<Place<Speaker>> {
  if (isAgents(cli, flags) || inSubagent(cli.env)) {
    if (flags.server)
      throw usageError("An agent acts on the server of its seat.", "Leave out `--server`.");
    return agentPlaceOf(cli, flags, { task });
  }
  if (flags.board && board && flags.board !== board)
    throw usageError(
      `The message is named on board ${board}, and \`--board\` says ${flags.board}.`,
      "Leave out `--board`.",
    );
  const chosen = flags.board ?? board;
  if (!flags.me && hasSeat(cli, { ...flags, board: chosen }))
    throw notSelected(cli, { ...flags, board: chosen }, " As yourself, add `--me`.");
  const place = await placeOf(cli, { ...flags, board: chosen }, { task });
  return { ...place, actor: { ...place.actor, board: place.board } };
}

/**
 * Whether this machine has a seat that a command without an agent could mean: on the board if one is chosen, and on the
 * server if one is chosen. A person who meant that agent must not speak as themselves by mistake.
 */
function hasSeat(cli: Cli, flags: ActorFlags): boolean {
  const server = flags.server ?? cli.env["SERVICE_SERVER"];
  return seatsOn(cli, boardName(cli, flags)).some(
    (seat) => !server || isCalled(serverOfSeat(cli, seat), server),
  );
}
