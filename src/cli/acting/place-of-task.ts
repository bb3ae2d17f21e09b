import { ApiError } from "../../client/client.ts";
import {
  agentIn,
  asPerson,
  boardName,
  isAgents,
  seatsMeant,
  type Actor,
  type Agent,
  type ActorFlags,
} from "./acting.ts";
import type { Cli } from "../frame/cli.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { requireFeature } from "../connection/features.ts";
import { shortList } from "../connection/short-list.ts";

/** Who acts, and on which board. */
export interface ActorOnBoard<Who extends Actor = Actor> {
  readonly actor: Who;
  readonly board: string;
}

/**
 * Finds the place of a task among the seats of the selected agent or the boards of the person. Null when the flags leave
 * only one place, or when the task is named by its number alone. Refuses a task that no place has.
 */
export const placeOfTask = (
  cli: Cli,
  flags: ActorFlags,
  task: string,
): Promise<ActorOnBoard | null> =>
  isAgents(cli, flags) ? seatOfTask(cli, flags, task) : boardOfTask(cli, flags, task);

/** Finds the place of a task among the seats of the selected agent, as `placeOfTask` does. */
export async function seatOfTask(
  cli: Cli,
  flags: ActorFlags,
  task: string,
): Promise<ActorOnBoard<Agent> | null> {
  if (!namesBoard(task) || boardName(cli, flags) || flags.server) return null;
  const seats = seatsMeant(cli, flags);
  if (seats.length < 2) return null;
  return holderOf(
    seats.map((seat) => ({ actor: agentIn(cli, seat), board: seat.board })),
    task,
  );
}

async function boardOfTask(cli: Cli, flags: ActorFlags, task: string) {
  if (!namesBoard(task) || boardName(cli, flags)) return null;
  const actor = await asPerson(cli, flags);
  const { boards } = await shortList(actor.api, { lifecycle: "all" });
  if (boards.length < 2) return null;
  // A prefix always belongs to one board of a server, so the board that has it now is meant.
  const prefix = task.slice(0, task.lastIndexOf("-")).toUpperCase();
  const named = boards.find(({ task_prefix }) => task_prefix === prefix);
  if (named) return { actor, board: named.name };
  return holderOf(
    boards.map(({ name }) => ({ actor, board: name })),
    task,
  );
}

/** Whether a task is named by its reference or id, and not by its number alone. */
const namesBoard = (task: string): boolean =>
  /^([a-z][a-z0-9]{1,5}-[1-9]\d*|tsk_[0-9a-z]+)$/i.test(task);

/** The place that has the task. Null if places on two servers have it, because servers may use the same prefix. */
async function holderOf<Who extends Actor>(
  places: readonly ActorOnBoard<Who>[],
  task: string,
): Promise<ActorOnBoard<Who> | null> {
  const holders: ActorOnBoard<Who>[] = [];
  let failure: unknown;
  for (const place of places) {
    const { actor, board } = place;
    if (holders.some((holder) => holder.actor.server.name === actor.server.name)) continue;
    try {
      await actor.api.call("getTask", { params: { board, task } });
      holders.push(place);
    } catch (error) {
      if (!isElsewhere(error)) failure ??= error;
    }
  }
  if (holders.length > 0) return holders.length === 1 ? holders[0]! : null;
  if (failure) throw failure;
  for (const { actor } of places) await requireFeature(actor, "tasks");
  throw nowhere(places, task);
}

/** Whether an error means that the task is elsewhere: the board has no such task or is closed to the caller, or its server has no tasks. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || closed.includes(error.code));
const closed = ["not_on_board", "agent_removed"];

function nowhere(places: readonly ActorOnBoard[], task: string): LocalError {
  const boards = places.map(({ board }) => board).sort();
  return new LocalError(
    "task_not_found",
    `None of the boards ${boards.join(", ")} has a task ${task}.`,
    "`service task list --board NAME` lists those that are not closed; `--all` adds the others.",
    { boards },
  );
}
