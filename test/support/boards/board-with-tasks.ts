import type { Client, Given } from "../../../src/client/client.ts";
import { startDocs } from "./docs-board-with-people.ts";
import { docs, eventsOf } from "./docs-board.ts";

/** Docs, which ana owns, bo who is on it, ana's agents writer and second, and bo's agent scout. */
export const startBoardWithTasks = () => startDocs({ writer: "ana", second: "ana", scout: "bo" });

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
