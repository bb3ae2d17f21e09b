import type { Given } from "../../../src/client/client.ts";
import { docs, makeDocs } from "./docs-board.ts";
import { startWorld } from "../servers/server-in-process.ts";

type Seat = Awaited<ReturnType<Awaited<ReturnType<typeof startWorld>>["seat"]>>;
/** Whose agent it is, and its role where that is not `member`. */
type Sitting = "ana" | "bo" | readonly ["ana" | "bo", string];

/**
 * The board docs with ana, who owns it and administers the server, with bo, and with the agents that are named. They join
 * in the order in which they are given.
 */
export async function startDocs<Name extends string = never>(
  agents: Readonly<Record<Name, Sitting>> = {} as Record<Name, Sitting>,
  board: Partial<Given<"createBoard">["body"]> = {},
) {
  const world = await startWorld();
  const { id } = await makeDocs(world, board);
  const ana = world.admin;
  const bo = await world.person("bo");
  await ana.call("addPerson", { ...docs, body: { handle: "bo" } });
  const seats: Partial<Record<Name, Seat>> = {};
  for (const name in agents) {
    const sitting: Sitting = agents[name];
    const [owner, role] = typeof sitting === "string" ? [sitting, "member"] : sitting;
    seats[name] = await world.seat(owner === "ana" ? ana : bo, "docs", { name, role });
  }
  return { world, id, ana, bo, ...(seats as Record<Name, Seat>) };
}
