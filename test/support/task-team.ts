import type { Client, Given } from "../../src/client/client.ts";
import { startWorld } from "./world.ts";
import { docs, eventsOf, makeDocs, personOnDocs, seatOnDocs } from "./helpers.ts";

/** Docs, which ana owns, bo who is on it, ana's agents writer and second, and bo's agent scout. */
export async function startTeam() {
  const world = await startWorld();
  await makeDocs(world);
  const bo = await personOnDocs(world, "bo");
  return {
    world,
    ana: world.admin,
    bo,
    writer: await seatOnDocs(world, "writer"),
    second: await seatOnDocs(world, "second"),
    scout: await world.seat(bo, "docs", { name: "scout" }),
  };
}

/** Opens a task on docs. */
export const openTask = (
  by: Client,
  title = "A task",
  more: Omit<NonNullable<Given<"createTask">["body"]>, "title"> = {},
) => by.call("createTask", { ...docs, body: { title, ...more } });

/** A task of docs, by any selector. */
export const task = (selector: string | number = 1) => ({
  params: { board: "docs", task: String(selector) },
});

/** The tasks' events in the log of docs, with their data but the reference. */
export const taskEvents = async (reader: Client) =>
  (await eventsOf(reader))
    .filter(({ type }) => type.startsWith("task."))
    .map(({ type, data = {} }) => {
      const { task_id: _id, ref: _ref, ...rest } = data;
      return [type, rest];
    });

/** Reference of what an agent works on. */
export const worksOn = async (agent: Client) =>
  (await agent.call("getMe")).current_task?.ref ?? null;
