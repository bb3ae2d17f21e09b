import {
  asAgent,
  asAgentOrPerson,
  boardOf,
  type Actor,
  type Agent,
  type AgentFlags,
  type ActorFlags,
} from "./acting.ts";
import type { Api } from "../connection/api.ts";
import { requireFeature, type Feature } from "../connection/features.ts";
import type { Cli } from "../frame/cli.ts";
import { hintedWith, typedWith, type Typed } from "../frame/suggest.ts";
import { placeOfTask, seatOfTask } from "./place-of-task.ts";

/** Who acts in a command, and how it writes commands that act as them again. */
export interface Selection<Who extends Actor = Actor> {
  readonly cli: Cli;
  readonly actor: Who;
  readonly api: Api;
  /** The flags that were typed, with the board on which the named task was found. */
  readonly flags: ActorFlags;
  /** Writes a command with these flags as it can be typed here. */
  readonly typed: Typed;
  /** Writes a command with these flags for a hint, in backticks. */
  readonly hinted: Typed;
}

/** Who acts in a command, and on which board. */
export interface Place<Who extends Actor = Actor> extends Selection<Who> {
  readonly board: string;
}

interface Wanted {
  /** The task that was named. It decides between several seats or boards that the flags leave. */
  readonly task?: string | undefined;
  /** The parts of the service that the server must have. */
  readonly needs?: readonly Feature[];
}

/** Where a command of an agent or its person acts. Refuses flags that leave several boards. */
export async function placeOf(cli: Cli, flags: ActorFlags, wanted: Wanted = {}): Promise<Place> {
  return onBoard(await selectionOf(cli, flags, wanted));
}

/** Where a command of an agent alone acts. Refuses flags that leave several seats. */
export async function agentPlaceOf(
  cli: Cli,
  flags: AgentFlags,
  { task, needs }: Wanted = {},
): Promise<Place<Agent>> {
  const found = task === undefined ? null : await seatOfTask(cli, flags, task);
  const actor = found?.actor ?? asAgent(cli, flags);
  const selection = await select(cli, actor, atBoard(flags, found?.board), needs);
  return { ...selection, board: actor.board };
}

/** Where a command acts when it knows already who acts. */
export async function placeFor(
  cli: Cli,
  actor: Actor,
  flags: ActorFlags,
  { needs }: Pick<Wanted, "needs"> = {},
): Promise<Place> {
  return onBoard(await select(cli, actor, flags, needs));
}

/** Who acts in a command that chooses the board itself, or needs none. */
export async function selectionOf(
  cli: Cli,
  flags: ActorFlags,
  { task, needs }: Wanted = {},
): Promise<Selection> {
  const found = task === undefined ? null : await placeOfTask(cli, flags, task);
  const actor = found?.actor ?? (await asAgentOrPerson(cli, flags));
  return select(cli, actor, atBoard(flags, found?.board), needs);
}

/** The flags with the board of the agent's seat that has the task, when the flags alone leave several seats. */
export async function flagsAtTask<Given extends AgentFlags>(
  cli: Cli,
  flags: Given,
  task: string | undefined,
): Promise<Given> {
  const found = task === undefined ? null : await seatOfTask(cli, flags, task);
  return atBoard(flags, found?.board);
}

const atBoard = <Given extends AgentFlags>(flags: Given, board: string | undefined): Given =>
  board === undefined ? flags : { ...flags, board };

async function select<Who extends Actor>(
  cli: Cli,
  actor: Who,
  flags: ActorFlags,
  needs: readonly Feature[] = [],
): Promise<Selection<Who>> {
  if (needs.length > 0) await requireFeature(actor, ...needs);
  const written = { typed: typedWith(cli, flags), hinted: hintedWith(flags) };
  return { cli, actor, api: actor.api, flags, ...written };
}

async function onBoard(selection: Selection): Promise<Place> {
  const { cli, actor, flags } = selection;
  return { ...selection, board: await boardOf(cli, actor, flags) };
}
