import { expect } from "bun:test";
import fc from "fast-check";
import type { Db } from "../../../src/db/engine/database.ts";
import { brokenLaws } from "../../support/database-laws.ts";
import { features } from "./features.ts";
import { Broken, type BoardModel, type Recorded } from "./model.ts";
import type { Command } from "./registry.ts";
import {
  boardCalled,
  follow,
  memberOf,
  pick,
  positionOf,
  seatNewcomers,
  startScene,
  type Actor,
  type Scene,
} from "./scene.ts";
import { seed as everySeed, timesMore } from "../../support/tries.ts";

/** One step as it is drawn: who, and what with which numbers. */
interface Step {
  readonly by: number;
  readonly command: Command;
  readonly drawn: object;
}

const commands = features.flatMap((feature) => feature.commands);
const readings = features.flatMap((feature) => feature.readings);

const step: fc.Arbitrary<Step> = fc.oneof(
  ...commands.map((command) => ({
    weight: command.weight,
    arbitrary: fc.record({
      by: fc.nat(30),
      command: fc.constant(command),
      drawn: command.arbitrary,
    }),
  })),
);

/** Sequences that are long when they are drawn, and as short as they can be once they fail. */
class Sequence extends fc.Arbitrary<Step[]> {
  private readonly steps: fc.Arbitrary<Step[]>;
  private readonly least: number;
  constructor(most: number) {
    super();
    this.steps = fc.array(step, { maxLength: most, size: "max" });
    this.least = most * 0.75;
  }
  override generate(random: fc.Random): fc.Value<Step[]> {
    for (;;) {
      const drawn = this.steps.generate(random, undefined);
      if (drawn.value.length >= this.least) return drawn;
    }
  }
  override canShrinkWithoutContext(value: unknown): value is Step[] {
    return this.steps.canShrinkWithoutContext(value);
  }
  override shrink(value: Step[], context: unknown): fc.Stream<fc.Value<Step[]>> {
    return this.steps.shrink(value, context);
  }
}

/** How much is tried: the sequences, and how many steps each has at the most. */
const {
  HISTORY_RUNS: runs = String(timesMore(4)),
  HISTORY_STEPS: steps = "80",
  HISTORY_SEED: seed = String(everySeed),
} = process.env;

/**
 * Draws what several members do one after another, and after each step compares what the server shows to everybody with
 * a model that knows the logs alone. `rebuilds` compares the read models with a replay. What fails is shrunk and printed
 * as the list of what was done.
 */
export async function checkHistories(rebuilds: (db: Db) => Promise<void>): Promise<void> {
  const property = fc.asyncProperty(new Sequence(Number(steps)), async (drawn) => {
    const done: string[] = [];
    const scene = await startScene();
    try {
      for (const [turn, each] of drawn.entries()) await make(scene, each, turn, done);
      await readByAll(scene, [...scene.boards.values()], drawn.length, true);
      await rebuilds(scene.world.db);
      scene.world.check();
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${done.join("\n")}\n${message}`, { cause: error });
    } finally {
      scene.world.stop();
    }
  });
  await fc.assert(property, {
    numRuns: Number(runs),
    seed: Number(seed),
    // What fails is shrunk until then at the most: ten times what all of it takes on a machine that is not busy.
    interruptAfterTimeLimit: Number(runs) * 15_000,
    // Steps are objects with functions: the list of what was done says more.
    reporter({ failed, counterexample, counterexamplePath, errorInstance, numShrinks }) {
      if (!failed) return;
      const { message, cause } = errorInstance as Error;
      throw new Error(
        `after ${counterexample?.[0].length} steps (seed ${seed}, path ${counterexamplePath}, ${numShrinks} times shrunk):\n${message}`,
        { cause },
      );
    },
  });
}

/** Makes a step, holds it to what the model expected, and lets everybody read. */
async function make(scene: Scene, { by, command, drawn }: Step, turn: number, done: string[]) {
  scene.world.pass(1 + (by % 3));
  const { who = () => true } = command;
  const fitting = working(scene).filter((one) => who(one, scene));
  const actor = pick(fitting, by);
  if (!actor) return;
  const act = command.choose(scene, actor, mostlyAtHome(actor, by, drawn));
  if (act === null) return;
  const expected = command.model(scene, actor, act);
  const { status, data } = await command.run(scene, actor, act);
  const refusal = status >= 400 ? (data as { error: { code: string } }).error.code : null;
  done.push(`${actor.label}: ${command.name} ${JSON.stringify(act)} -> ${refusal ?? status}`);
  if (expected.refusal !== undefined)
    expect(refusal ?? "no refusal").toBe(expected.refusal ?? "no refusal");
  const events = follow(scene);
  seatNewcomers(scene, events);
  if (refusal !== null) {
    if (events.length > 0) throw new Broken("a refused request appends to a log");
  } else {
    if (expected.events) expect(events.map(({ type }) => type)).toEqual([...expected.events]);
    await expected.after?.(data, events);
  }
  const reveals = events.some(({ type }) => type === "board.policy_changed");
  await readByAll(scene, touched(scene, act, events), turn, reveals || turn % 8 === 0);
}

/** What was drawn, for an agent mostly on its own board: on another one it is refused. */
const mostlyAtHome = ({ seat }: Actor, by: number, drawn: object): object =>
  seat && "board" in drawn && by % 8 ? { ...drawn, board: seat.board } : drawn;

/** Who can still do something, people twice, as there are few, and whoever was put out last, to find that they cannot. */
function working(scene: Scene): Actor[] {
  const isOut = ({ seat }: Actor) =>
    seat !== null && !boardCalled(scene, seat.board).members.get(seat.member)!.active;
  return [
    ...scene.actors.filter(({ seat, guest }) => seat === null && !guest),
    ...scene.actors.filter((actor) => !isOut(actor)),
    ...scene.actors.filter(isOut).slice(-1),
  ];
}

/** The boards that a step may have changed: those with new events, and the one that it was about. */
function touched({ boards }: Scene, act: object, events: readonly Recorded[]): BoardModel[] {
  const named = (act as { board?: string }).board;
  const changed = new Set(events.map(({ board }) => board));
  return [...boards.values()].filter(({ id, name }) => changed.has(id) || name === named);
}

/** Everybody on a board reads it in every way. Nothing moves by that, and the laws of the read models hold. */
async function readByAll(
  scene: Scene,
  boards: readonly BoardModel[],
  turn: number,
  whole: boolean,
) {
  for (const board of boards) {
    expectNobodyGone(board);
    for (const actor of scene.actors) {
      const me = memberOf(board, actor);
      if (!me) continue;
      for (const { name, check } of readings)
        await check({ scene, board, actor, me, turn, whole }).catch((error: Error) => {
          throw new Error(`${actor.label} reads ${name} of ${board.name}: ${error.message}`);
        });
    }
    for (const { id, name, active } of board.members.values())
      if (active && positionOf(scene.world, id) !== board.positions.get(id))
        throw new Broken(`the position of @${name} is not where they read up to`);
  }
  expect(follow(scene)).toEqual([]);
  expect(scene.world.db.read(brokenLaws)).toEqual([]);
}

/** Whoever has gone is on no task that is not closed. */
function expectNobodyGone({ tasks, members }: BoardModel): void {
  for (const { ref, closed, owner, helpers } of tasks.values())
    for (const id of [owner, ...helpers])
      if (closed === null && id !== null && !members.get(id)!.active)
        throw new Broken(`@${members.get(id)!.name} has gone and is on task ${ref}`);
}
