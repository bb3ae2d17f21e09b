import type { ActorFlags } from "../acting/acting.ts";
import { ApiError } from "../../client/client.ts";
import type { Cli } from "../frame/cli.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { isTask } from "../frame/parse-arguments.ts";
import type { TaskName } from "./task-nudges.ts";
import { placeOf, type Place } from "../acting/place-of.ts";

/** Where a command about tasks acts. Refuses a server that has none. */
export const taskPlace = (cli: Cli, flags: ActorFlags, task?: string): Promise<Place> =>
  placeOf(cli, flags, { task, needs: ["tasks"] });

/** The named task, or the agent's current one. Refuses when there is neither; `naming` writes the command with a task in it. */
export async function taskMeant(
  place: Place,
  named: string | undefined,
  naming: (task: string) => string,
): Promise<string> {
  const task = named ?? (await place.api.call("getMe")).current_task?.ref;
  if (task) return task;
  throw noCurrentTask(place, await nearby(place), naming);
}

/**
 * Refuses a task in place of the text, because the command would change the current task instead. An id, or a reference
 * with another prefix than the current task's, counts as text unless the board has such a task.
 */
export async function refuseTaskAsText(
  { api, board, hinted }: Place,
  text: string,
  current: string,
  naming: (task: string) => string,
): Promise<void> {
  const task = text.trim();
  if (!isTask(task)) return;
  const [prefix] = current.split("-");
  const isMeant = new RegExp(`^(${prefix}-)?[0-9]+$`, "i").test(task);
  const known = () => api.call("getTask", { params: { board, task } });
  if (!isMeant && !(await known().catch(noSuchTask))) return;
  throw usageError(
    `${text} is a task, and there is no text.`,
    `Name the task with its flag: ${hinted(naming(task))}. Without one, ${current} is meant.`,
  );
}

function noSuchTask(error: unknown): null {
  if (error instanceof ApiError && error.code === "task_not_found") return null;
  throw error;
}

interface Nearby {
  /** Tasks that the caller owns or helps on. */
  readonly own: readonly TaskName[];
  /** The oldest task without an owner, unless the caller helps on it. */
  readonly others: readonly TaskName[];
}

async function nearby({ api, board }: Place): Promise<Nearby> {
  const params = { board };
  const { tasks: own } = await api.call("listTasks", { params, query: { mine: true } });
  const { tasks: open } = await api.call("listTasks", {
    params,
    query: { state: "open", limit: 1 },
  });
  const named = ({ id, ref, title }: TaskName) => ({ id, ref, title });
  const others = open.filter(({ id }) => !own.some((one) => one.id === id));
  return { own: own.map(named), others: others.map(named) };
}

function noCurrentTask(
  { actor, hinted }: Place,
  { own, others }: Nearby,
  naming: (task: string) => string,
): LocalError {
  const [first] = [...own, ...others];
  const isAgent = actor.kind === "agent";
  // An agent cannot change a task that it is not on.
  const hint = !first
    ? `Open one: ${hinted("task new TITLE")}.`
    : isAgent && own.length === 0
      ? `Take one first: ${hinted(`task start ${first.ref}`)}.`
      : `Name one: ${hinted(naming(first.ref))}.`;
  return new LocalError(
    "no_current_task",
    isAgent
      ? `${actor.seat.name} works on no task, and none is named.`
      : "No task is named, and people have no current one.",
    hint,
    { tasks: [...own, ...others] },
  );
}
