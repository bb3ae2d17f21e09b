import { join } from "node:path";
import { measureIn } from "../child.ts";
import { atLeast, atMost, compared, type Row, type Section } from "../figures.ts";
import { profileOfLoad } from "../profile.ts";
import type { Batches } from "../repeat.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startFromSource, startService } from "../service.ts";
import { makeDesk, post } from "../world.ts";
import { wrk, type Measured } from "../wrk.ts";
import { measureModes, modeRows } from "./post-modes.ts";
import { alternate, type Context } from "./part.ts";

const connections = [1, 16, 64] as const;

/** What is measured side by side at one number of connections, which is also the raw batch. */
interface Pair {
  raw: Batches;
  /** The same, its select spelt so that SQLite plans it once; measured at 64. */
  planned: Batches;
  own: Batches;
  service: Measured;
}

/** Posts with 1, 16 and 64 connections beside the raw schema and the service's own statements in batches of as many. */
export async function measurePosts(context: Context): Promise<Section> {
  const runs = await alternate(context.runs, () => postsOnce(context));
  const modes = await alternate(context.runs, () => measureModes(context));
  return {
    title: "Posts",
    definitions: [
      "A post is 200 characters to one recipient, by a person's key, on a board of one person and one agent.",
      "Raw: `bench/raw.ts`, a fixed schema without HTTP: one select, six writes, the message stored twice, a SHA-256 chain, a checkpoint every 1,000 pages, FULL; a batch of as many posts as there are connections is one commit.",
      "Own statements: the service's own functions of `src/db` for one post, without HTTP and rules, in batches of as many.",
      "Planned once: SQLite plans the raw select, a join, anew for each post, as for any straightforward program; spelt `+?` it does not. The service's statements are spelt so.",
      "p99 is compared with the p99 of a raw batch and its commit.",
      "One commit each, NORMAL, the guard against loops, and the counts of commits: the same server from source (`bench/server.ts`). Between agents: an agent posts to another one, which each post would wake.",
    ],
    rows: [
      ...connections.flatMap((count) => postRows(count, runs)),
      plannedRow(runs.map((run) => run.get(64)!)),
      ...modeRows(modes),
    ],
  };
}

async function postsOnce({ scratch, seconds }: Context): Promise<Map<number, Pair>> {
  const folder = folderIn(scratch, "posts");
  const service = await startService(folder);
  const { url, token } = await makeDesk(service);
  await wrk({ url, token, body: post, connections: 64, seconds: 2 });
  const pairs = new Map<number, Pair>();
  for (const count of connections) {
    const rawPosts = (name: string, ...how: string[]) =>
      measureIn<Batches>("raw.ts", "posts", join(folder, name), seconds, count, ...how);
    const raw = await rawPosts(`raw-${count}.db`);
    const measured = await wrk({ url, token, body: post, connections: count, seconds });
    const own = await ownStatements(folder, seconds, count);
    const planned = count === 64 ? await rawPosts("planned.db", "planned-once") : raw;
    pairs.set(count, { raw, planned, own, service: measured });
  }
  await service.stop();
  removeFolder(folder);
  return pairs;
}

/** The service's own functions on a database that the service from the same sources made. */
async function ownStatements(parent: string, seconds: number, batch: number): Promise<Batches> {
  const home = folderIn(parent, "own");
  const service = await startFromSource(home, { commit: "group", synchronous: "FULL" });
  await makeDesk(service);
  await service.stop();
  return measureIn<Batches>("own-statements.ts", join(home, "data", "service.db"), seconds, batch);
}

const names = { 1: "1 connection", 16: "16 connections", 64: "64 connections" } as const;

function postRows(count: (typeof connections)[number], runs: Map<number, Pair>[]): Row[] {
  const pairs = runs.map((run) => run.get(count)!);
  const series = (what: string, of: (pair: Pair) => number) => ({ what, values: pairs.map(of) });
  const raw = series(`raw, batches of ${count}`, ({ raw }) => raw.rate);
  const profile = postingProfile(count);
  const p50 = series(`post p50, ${names[count]}`, ({ service }) => service.p50);
  const p99 = series(`post p99, ${names[count]}`, ({ service }) => service.p99);
  return [
    compared(
      "/s",
      series(`posts, ${names[count]}`, ({ service }) => service.rate),
      raw,
      {
        target: atLeast(count === 1 ? 0.45 : 0.5),
        profile,
      },
    ),
    compared(
      "ms",
      p50,
      series("raw batch p50", ({ raw }) => raw.batch_ms.p50),
    ),
    compared(
      "ms",
      p99,
      series("raw batch p99", ({ raw }) => raw.batch_ms.p99),
      {
        ...(count === 64 && { target: atMost(2), profile }),
      },
    ),
    compared(
      "/s",
      series(`own statements, batches of ${count}`, ({ own }) => own.rate),
      raw,
      {
        ...(count === 64 && { target: atLeast(1.1), profile }),
      },
    ),
  ];
}

/** How much of the raw figure is SQLite planning its one select anew for each post. */
const plannedRow = (pairs: Pair[]): Row =>
  compared(
    "/s",
    { what: "raw, planned once, batches of 64", values: pairs.map(({ planned }) => planned.rate) },
    { what: "raw, batches of 64", values: pairs.map(({ raw }) => raw.rate) },
  );

/** Posting, as a profile is taken of it. */
export const postingProfile = (count: number) =>
  profileOfLoad(`posts, ${count} connections`, async (service) => {
    const { url, token } = await makeDesk(service);
    await wrk({ url, token, body: post, connections: count, seconds: 5 });
  });
