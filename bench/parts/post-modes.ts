import { alone, atLeast, compared, type Row } from "../figures.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import type { Mode } from "../server.ts";
import { startFromSource, type AskedService } from "../service.ts";
import { anotherAgent, makeDesk, post, type Desk } from "../world.ts";
import { wrk } from "../wrk.ts";
import type { Context } from "./part.ts";
import { postingProfile } from "./posts.ts";

/** Posts a second at 64 connections in each mode, and how many posts shared a commit at 1, 16 and 64. */
export interface Modes {
  grouped: number;
  oneEach: number;
  normal: number;
  keyed: number;
  /** An agent's posts to another agent: with the guard against loops, and without it. */
  guarded: number;
  unguarded: number;
  shared: Map<number, number>;
}

const usual: Mode = { commit: "group", synchronous: "FULL" };

/** Measures the server from source in its modes, one after the other. */
export async function measureModes(context: Context): Promise<Modes> {
  const { seconds } = context;
  const shared = new Map<number, number>();
  const rate = (desk: Desk, keyed = false) =>
    wrk({ url: desk.url, token: desk.token, body: post, connections: 64, seconds, keyed });
  const oneEach = await inMode(context, { commit: "each", synchronous: "FULL" }, (desk) =>
    rate(desk),
  );
  const normal = await inMode(context, { commit: "group", synchronous: "NORMAL" }, (desk) =>
    rate(desk),
  );
  const betweenAgents = (loopGuard: boolean) =>
    inMode(context, { ...usual, loopGuard }, async (desk, service) => {
      const token = await anotherAgent(service, desk);
      return wrk({ url: desk.url, token, body: post, connections: 64, seconds });
    });
  const unguarded = await betweenAgents(false);
  const guarded = await betweenAgents(true);
  let keyed = 0;
  const grouped = await inMode(context, usual, async (desk, service) => {
    const measured = await rate(desk);
    for (const count of [1, 16, 64]) shared.set(count, await sharing(service, desk, count));
    keyed = (await rate(desk, true)).rate;
    return measured;
  });
  return { grouped, oneEach, normal, keyed, guarded, unguarded, shared };
}

async function inMode(
  { scratch }: Context,
  mode: Mode,
  measure: (desk: Desk, service: AskedService) => Promise<{ rate: number }>,
): Promise<number> {
  const folder = folderIn(scratch, "modes");
  const service = await startFromSource(folder, mode);
  const desk = await makeDesk(service);
  await wrk({ url: desk.url, token: desk.token, body: post, connections: 64, seconds: 2 });
  const { rate } = await measure(desk, service);
  await service.stop();
  removeFolder(folder);
  return rate;
}

/** Writes for each commit while so many connections post for a second. */
async function sharing(service: AskedService, desk: Desk, connections: number): Promise<number> {
  const before = await service.ask("counters");
  await wrk({ url: desk.url, token: desk.token, body: post, connections, seconds: 1 });
  const after = await service.ask("counters");
  return (after.writes - before.writes) / (after.commits - before.commits);
}

/** The rows of the modes. */
export function modeRows(modes: Modes[]): Row[] {
  const series = (what: string, of: (mode: Modes) => number) => ({ what, values: modes.map(of) });
  const grouped = series("from source, 64 connections", ({ grouped }) => grouped);
  const shared = [1, 16, 64].map((count) =>
    alone(
      "posts",
      series(`posts that share a commit, ${count} connections`, (mode) => mode.shared.get(count)!),
    ),
  );
  return [
    compared(
      "/s",
      grouped,
      series("one commit each", ({ oneEach }) => oneEach),
      {
        target: atLeast(4),
        profile: postingProfile(64),
      },
    ),
    compared(
      "/s",
      { ...grouped, what: "FULL, 64 connections" },
      series("NORMAL", ({ normal }) => normal),
      {
        target: atLeast(0.95),
        profile: postingProfile(64),
      },
    ),
    compared(
      "/s",
      series("each with an Idempotency-Key, 64 connections", ({ keyed }) => keyed),
      grouped,
    ),
    compared(
      "/s",
      series("between agents, 64 connections", ({ guarded }) => guarded),
      series("without the guard against loops", ({ unguarded }) => unguarded),
      { target: atLeast(0.95), profile: postingProfile(64) },
    ),
    ...shared,
  ];
}
