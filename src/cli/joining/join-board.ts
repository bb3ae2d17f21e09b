import { ApiError } from "../../client/client.ts";
import { asPerson, type PersonFlags } from "../acting/acting.ts";
import type { Api } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { bold } from "../terminal/style.ts";
import { typedAt } from "../frame/suggest.ts";

/** The flags of `join`, without the board. */
export interface JoinFlags extends PersonFlags {
  readonly name?: string | undefined;
  readonly harness?: string | undefined;
  readonly role?: string | undefined;
}

/** Puts the person on an open board. Being on it already changes nothing. */
export async function joinAsPerson(cli: Cli, board: string, chosen: JoinFlags): Promise<Answer> {
  if (chosen.name || chosen.harness || chosen.role)
    throw usageError(
      "`--name`, `--role` and `--harness` are for an agent, and `--board` puts you on the board.",
      "Leave them out, then make a code for an agent: `service invite`.",
    );
  const { api, server } = await asPerson(cli, chosen);
  const { name: handle } = await api.call("getMe");
  const params = { board };
  let added = true;
  const person = await api.call("addPerson", { params, body: { handle } }).catch(async (error) => {
    if (!(error instanceof ApiError && error.code === "already_on_board")) throw error;
    added = false;
    return (await api.call("listPeople", { params })).people.find((one) => one.handle === handle);
  });
  const typed = typedAt(cli, server, board);
  const where = `You are ${added ? "now" : "already"} on board ${bold(board)} at ${server.url}`;
  // Nobody can join an archived board, so a person who is on one was there before.
  const archived = added ? null : await archivedBoard(api, board);
  return {
    json: { server, board, person, added },
    text: archived
      ? `${where}, which is archived.\n${archived.can_restore ? `Restore it: ${typed("board restore")}` : "No code works there until its creator or an admin restores it."}`
      : `${where}.\nA code for an agent of yours: ${typed("invite")}`,
  };
}

async function archivedBoard(api: Api, name: string) {
  const board = await api.call("getBoard", { params: { board: name } });
  return board.lifecycle === "archived" ? board : null;
}
