import { boardsAt } from "./connection/names-at.ts";
import type { Cli } from "./frame/cli.ts";
import { readSeats } from "../client/machine/seats.ts";
import { knownServers } from "../client/machine/servers.ts";

/** The flags whose values a shell completes with names of this moment. */
export const liveNames = ["as", "board", "server"] as const;

/** The names that a flag may have here: what this machine keeps, and for boards what its servers list in time. */
export async function namesFor(cli: Cli, flag: (typeof liveNames)[number]): Promise<string[]> {
  const seats = readSeats(cli);
  if (flag === "as") return distinct(seats.map(({ name }) => name));
  const servers = knownServers(cli);
  if (flag === "server") return distinct(["local", ...servers.map(({ url }) => url)]);
  const listed = await Promise.all(servers.map((server) => boardsAt(cli, server)));
  return distinct([...seats.map(({ board }) => board), ...listed.flat()]);
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].toSorted();
