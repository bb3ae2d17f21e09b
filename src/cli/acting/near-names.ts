import { ApiError } from "../../client/client.ts";
import { knownServers, selectServer, type ServerRef } from "../../client/machine/servers.ts";
import { boardsAt, handlesAt } from "../connection/names-at.ts";
import type { Cli } from "../frame/cli.ts";
import { nearest } from "../frame/nearest.ts";
import type { Values } from "../frame/parse-arguments.ts";
import { handle } from "../frame/values.ts";
import { isAgents } from "./acting.ts";

/**
 * The error of a command. If a person's board or a person was not found, its hint says which name like it there is, and on
 * which other server of theirs the board is.
 */
export async function withNearName(cli: Cli, error: unknown, values: Values): Promise<unknown> {
  if (!(error instanceof ApiError)) return error;
  const flags = { as: text(values["as"]), server: text(values["server"]) };
  if (isAgents(cli, flags)) return error;
  if (error.code === "board_not_found") return withNearBoard(cli, error, values);
  const isNobody = error.code === "person_not_found" || error.code === "person_not_on_board";
  return isNobody ? withNearPerson(cli, error, values) : error;
}

async function withNearPerson(cli: Cli, error: ApiError, values: Values): Promise<ApiError> {
  const listed = await handlesAt(cli, selectServer(cli, text(values["server"])));
  const typed = Object.values(values).flatMap((value) => (typeof value === "string" ? value : []));
  // Which argument is the handle differs from command to command; the refusal repeats it.
  const unknown = typed
    .map(handle)
    .find((word) => error.message.split(" ").includes(word) && !listed.includes(word));
  const like = unknown === undefined ? null : nearest(unknown, listed);
  return like === null ? error : error.withHint(`Did you mean @${like}? ${error.hint}`);
}

async function withNearBoard(cli: Cli, error: ApiError, values: Values): Promise<ApiError> {
  const named = [values["board"] ?? []].flat().map(String);
  const boards = named.length > 0 ? named : [cli.env["SERVICE_BOARD"] ?? []].flat();
  if (boards.length === 0) return error;
  const here = selectServer(cli, text(values["server"]));
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
