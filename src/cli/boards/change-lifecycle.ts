import { asAgentOrPerson, boardOf, type ActorFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { agentFlags, serverFlag, type Answer } from "../frame/command.ts";

const board = {
  ...agentFlags.board,
  description: "The board by its name or its id (else SERVICE_BOARD, the agent's, your only one).",
};

/** The flags of the commands that archive and restore a board. */
export const lifeFlags = { ...agentFlags, board, ...serverFlag };

/** The flags of the command that deletes one. */
export const deletionFlags = {
  board: { ...board, description: "The board by its name or its id (else SERVICE_BOARD)." },
  ...serverFlag,
};

/** How each operation finds its board when none is named, and what the board is afterwards. */
const changes = {
  archiveBoard: { from: "active", done: "archived" },
  restoreBoard: { from: "archived", done: "active" },
} as const;

/** Archives or restores a board, as its creator, as their agent on it, or as a server admin. */
export async function changeLife(
  cli: Cli,
  flags: ActorFlags,
  name: keyof typeof changes,
): Promise<Answer> {
  const { from, done } = changes[name];
  // A seat is known by its board's name: an agent's board given by its id is left to the server.
  const id = flags.board?.startsWith("brd_") ? flags.board : undefined;
  const actor = await asAgentOrPerson(cli, id ? { ...flags, board: undefined } : flags);
  const selected = id ?? (await boardOf(cli, actor, flags, { lifecycle: from }));
  const receipt = await actor.api.call(name, { params: { board: selected } });
  const { server } = actor;
  const { changed } = receipt;
  return {
    json: { server, board: selected, id: receipt.id, lifecycle: receipt.lifecycle, changed },
    text: `Board ${selected} at ${server.url} is ${changed ? done : `${done} already`}.`,
  };
}
