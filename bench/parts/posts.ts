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
  /** The same, its select spelt so that SQLite plans it once. */
  planned: Batches;
  own: Batches;
  service: Posts;
}
/** Answers a second, and milliseconds from request to answer. */
type Posts = Pick<Measured, "rate" | "p50" | "p99">;

/** Posts with 1, 16 and 64 connections beside the raw schema and the service's own statements in batches of as many. */
export async function measurePosts(context: Context): Promise<Section> {
  const runs = await alternate(context.runs, () => postsOnce(context));
  const modes = await alternate(context.runs, () => measureModes(context));
  return {
    title: "Posts",
    definitions: [
      "A post is 200 characters to one recipient, by a person's key, on a board of one person and one agent.",
      "The service is measured before the raw programs and after them: its figures are the mean of both.",
      "Raw: `bench/raw.ts`, a fixed schema without HTTP: one select, six writes, the message stored twice, a SHA-256 chain, a checkpoint every 1,000 pages, FULL; a batch of as many posts as there are connections is one commit.",
      "Own statements: the service's own functions of `src/db` for one post, without HTTP and rules, in batches of as many.",
      "Planned once: SQLite plans the raw select, a join, anew for each post, as for any straightforward program; spelt `+?` it does not. The service's statements are spelt so. Targets are for the plain raw program, as in earlier results; the stricter ratio stands below each.",
      "p99 is compared with the p99 of a raw batch and its commit.",
      "One commit each, NORMAL, the guard against loops, and the counts of commits: the same server from source (`bench/server.ts`). Between agents: an agent posts to another one, which each post would wake.",
    ],
    rows: [...connections.flatMap((count) => postRows(count, runs)), ...modeRows(modes)],
  };
}

async function postsOnce({ scratch, seconds }: Context): Promise<Map<number, Pair>> {
  const folder = folderIn(scratch, "posts");
  const server = await startService(folder);
  const { url, token } = await makeDesk(server);
  await wrk({ url, token, body: post, connections: 64, seconds: 2 });
  const pairs = new Map<number, Pair>();
  for (const count of connections) {
    const rawPosts = (name: string, ...how: string[]) =>
      measureIn<Batches>("raw.ts", "posts", join(folder, name), seconds, count, ...how);
    const measured = () => wrk({ url, token, body: post, connections: count, seconds });
    const rawOnes = async () => ({
      raw: await rawPosts(`raw-${count}.db`),
      planned: await rawPosts(`planned-${count}.db`, "planned-once"),
    });
    const before = await measured();
    const raws = await rawOnes();
    const service = meanOf(before, await measured());
    const own = await ownStatements(folder, seconds, count);
    pairs.set(count, { ...raws, own, service });
  }
  await server.stop();
  removeFolder(folder);
  return pairs;
}

const meanOf = (one: Posts, other: Posts): Posts => ({
  rate: (one.rate + other.rate) / 2,
  p50: (one.p50 + other.p50) / 2,
  p99: (one.p99 + other.p99) / 2,
});

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
  const planned = series(`raw, planned once, batches of ${count}`, ({ planned }) => planned.rate);
  const profile = postingProfile(count);
  const p50 = series(`post p50, ${names[count]}`, ({ service }) => service.p50);
  const p99 = series(`post p99, ${names[count]}`, ({ service }) => service.p99);
  return [
    compared(
      "/s",
      series(`posts, ${names[count]}`, ({ service }) => service.rate),
      raw,
      {
        target: atLeast(count === 1 ? 0.62 : 0.57),
        profile,
      },
    ),
    compared(
      "/s",
      series(`posts, ${names[count]}`, ({ service }) => service.rate),
      planned,
    ),
    compared("/s", planned, raw),
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
        ...(count === 64 && { target: atMost(1.8), profile }),
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

/** Posting, as a profile is taken of it. */
export const postingProfile = (count: number) =>
  profileOfLoad(`posts, ${count} connections`, async (service) => {
    const { url, token } = await makeDesk(service);
    await wrk({ url, token, body: post, connections: count, seconds: 5 });
  });
