import { compared, atLeast } from "../figures.ts";
import { etcd } from "../peers/etcd.ts";
import { jetStream } from "../peers/jetstream.ts";
import type { Peer } from "../peers/peer.ts";
import { bareInsert, findProgram, sixRows } from "../peers/postgres.ts";
import { redis } from "../peers/redis.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService } from "../service.ts";
import { makeDesk, post } from "../world.ts";
import { wrk } from "../wrk.ts";
import { postingProfile } from "./posts.ts";
import { alternate, type Context, type Part } from "./part.ts";

const peers: readonly Peer[] = [redis, bareInsert, sixRows, etcd, jetStream];
const connections = [1, 16, 64] as const;
/** The least that posts over 64 connections have to be of the rate of a peer that is as durable. */
const targets: Readonly<Record<string, number>> = { [etcd.name]: 1.4, [jetStream.name]: 1 };
type Rates = ReadonlyMap<number, number>;

/** Refuses a run that would end at a peer that is not installed. */
export function requirePeers(): void {
  const missing = peers
    .flatMap(({ needs }) => needs)
    .filter(({ program }) => !findProgram(program));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((each) => each.package))].join(" ");
  throw new Error(
    `Peers are missing. Install them: apt-get install -y --no-install-recommends ${packages}`,
  );
}

/** Posts beside other programs that keep what they are given, each measured in turn in the same run. */
export const measurePeers: Part = async (context) => {
  const runs = await alternate(context.runs, async () => {
    const rates = new Map<string, Rates>([["posts", await posts(context)]]);
    for (const peer of peers) rates.set(peer.name, await ratesOf(context, peer));
    return rates;
  });
  const series = (name: string, count: number) => ({
    what: name,
    values: runs.map((run) => run.get(name)!.get(count)!),
  });
  return {
    title: "Posts beside other programs",
    definitions: [
      "A post of the service: rules, members, a record chained by SHA-256, read models and the search index, over HTTP, synced before the answer. Each peer runs alone, by itself on this machine, with one load generator of one thread.",
      ...peers.map(({ name, promise }) => `${name}: ${promise}`),
    ],
    rows: peers.flatMap(({ name }) =>
      connections.map((count) =>
        compared(
          "/s",
          { ...series("posts", count), what: `posts, ${count} connection${count > 1 ? "s" : ""}` },
          series(name, count),
          count === 64 && name in targets
            ? { target: atLeast(targets[name]!), profile: postingProfile(64) }
            : {},
        ),
      ),
    ),
  };
};

async function posts({ scratch, seconds }: Context): Promise<Rates> {
  const folder = folderIn(scratch, "posts");
  const service = await startService(folder);
  const { url, token } = await makeDesk(service);
  const load = { url, token, body: post };
  await wrk({ ...load, connections: 64, seconds: 2 });
  const rates = new Map<number, number>();
  for (const count of connections)
    rates.set(count, (await wrk({ ...load, connections: count, seconds })).rate);
  await service.stop();
  removeFolder(folder);
  return rates;
}

async function ratesOf({ scratch, seconds }: Context, peer: Peer): Promise<Rates> {
  const folder = folderIn(scratch, "peer");
  const running = await peer.start(folder);
  await running.rate(64, 2);
  const rates = new Map<number, number>();
  for (const count of connections) rates.set(count, await running.rate(count, seconds));
  await running.stop();
  removeFolder(folder);
  return rates;
}
