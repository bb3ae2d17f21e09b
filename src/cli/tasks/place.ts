import { asAgentOrPerson, boardOf, type AgentFlags, type PersonFlags } from "../acting.ts";
import type { Api } from "../api.ts";
import type { Cli } from "../cli.ts";
import { CliError } from "../errors.ts";
import { requireFeature } from "../features.ts";
import { typedWith } from "../typed-again.ts";
import { placeOfTask, type ActorOnBoard } from "./place-of-task.ts";

/** Whose tasks a command is about, on which board. */
export interface TaskPlace extends ActorOnBoard {
  readonly cli: Cli;
  readonly api: Api;
  /** A command as it can be typed again here. */
  readonly typed: (command: string) => string;
}

/** The board of the selected agent, or in a terminal without one the person's; the task that is named tells which of several. */
export async function taskPlace(
  cli: Cli,
  flags: AgentFlags & PersonFlags,
  task?: string,
): Promise<TaskPlace> {
  const found = task === undefined ? null : await placeOfTask(cli, flags, task);
  const actor = found?.actor ?? (await asAgentOrPerson(cli, flags));
  await requireFeature(actor, "tasks");
  const board = found?.board ?? (await boardOf(cli, actor, flags));
  const typed = typedWith(cli, found ? { ...flags, board } : flags);
  return { cli, actor, api: actor.api, board, typed };
}

/** The task that was named, else the agent's current one. `naming` writes the command with a task named. */
export async function taskMeant(
  place: TaskPlace,
  named: string | undefined,
  naming: (task: string) => string,
): Promise<string> {
  const task = named ?? (await place.api.call("getMe")).current_task?.ref;
  if (task) return task;
  throw noCurrentTask(place, await nearby(place), naming);
}

type Tasks = readonly { readonly id: string; readonly ref: string; readonly title: string }[];

/** What may have been meant: the caller's own tasks, then the oldest that nobody owns. */
async function nearby({ api, board }: TaskPlace): Promise<Tasks> {
  const params = { board };
  const { tasks: own } = await api.call("listTasks", { params, query: { mine: true } });
  const { tasks: open } = await api.call("listTasks", {
    params,
    query: { state: "open", limit: 1 },
  });
  const others = open.filter(({ id }) => !own.some((one) => one.id === id));
  return [...own, ...others].map(({ id, ref, title }) => ({ id, ref, title }));
}

function noCurrentTask(
  { actor }: TaskPlace,
  tasks: Tasks,
  naming: (task: string) => string,
): CliError {
  const [first] = tasks;
  return new CliError(
    "no_current_task",
    actor.kind === "agent"
      ? `${actor.seat.name} works on no task, and none is named.`
      : "No task is named, and people have no current one.",
    first ? `Name one: \`service ${naming(first.ref)}\`.` : "Open one: `service task new TITLE`.",
    { tasks },
  );
}
