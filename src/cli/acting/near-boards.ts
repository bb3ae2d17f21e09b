import { ApiError } from "../../client/client.ts";
import { knownServers, selectServer, type ServerRef } from "../../client/machine/servers.ts";
import { boardsAt } from "../connection/boards-at.ts";
import type { Cli } from "../frame/cli.ts";
import { nearest } from "../frame/nearest.ts";
import type { Values } from "../frame/parse-arguments.ts";
import { isAgents } from "./acting.ts";

/**
 * The error of a command. If a person's board was not found, its hint says on which other server of theirs it is, or which
 * board of theirs has a name like it.
 */
export async function withNearBoard(cli: Cli, error: unknown, values: Values): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== "board_not_found") return error;
  const flags = { as: text(values["as"]), server: text(values["server"]) };
  const named = [values["board"] ?? []].flat().map(String);
  const boards = named.length > 0 ? named : [cli.env["SERVICE_BOARD"] ?? []].flat();
  if (boards.length === 0 || isAgents(cli, flags)) return error;
  const here = selectServer(cli, flags.server);
  const listed = await boardsAt(cli, here);
  for (const board of boards.filter((name) => !listed.includes(name))) {
    const elsewhere = await serverWith(cli, board, here);
    if (elsewhere)
      return error.withHint(`${board} is at ${elsewhere.url}: add \`--server ${elsewhere.url}\`.`);
    const like = nearest(board, listed);
    if (like !== null) return error.withHint(`Did you mean ${like}? ${error.hint}`);
  }
  return error;
}

const text = (value: Values[string]): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Another server of this machine where the person is on a board of that name. */
async function serverWith(cli: Cli, board: string, here: ServerRef): Promise<ServerRef | null> {
  const others = knownServers(cli).filter(({ name }) => name !== here.name);
  const lists = await Promise.all(others.map((server) => boardsAt(cli, server)));
  return others.find((_, index) => lists[index]!.includes(board)) ?? null;
}
