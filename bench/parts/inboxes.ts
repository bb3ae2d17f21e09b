import { cpSync } from "node:fs";
import { startDriver } from "../drivers/driver.ts";
import type { Delivered, DeliveryRequests } from "../drivers/delivery.ts";
import { alone, atMost, type Profile, type Row, type Section } from "../figures.ts";
import { mainThreadTime, settledBytes } from "../processes.ts";
import { profileOfHeap, profileOfLoad, type Leaving } from "../profile.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService, type RunningService } from "../service.ts";
import { makeCrowd, type Crowd, type CrowdSize } from "../world.ts";
import { scheduleFor } from "./delivery.ts";
import { alternate, type Context } from "./part.ts";

/** What many agents cost that get every post of their board. */
interface Cost {
  /** Microseconds of the server's main thread for a delivery. */
  each: number;
  /** Milliseconds from the sending of a post to an agent. */
  p99: number;
  /** Growth of the server's resident memory for an agent, in KB. */
  memory: number;
}
interface Load {
  crowd: CrowdSize;
  rate: number;
  streamed: boolean;
}

const few = { people: 1, boards: 15, agents: 2500 };
const waits: Load = { crowd: few, rate: 25, streamed: false };
const streams: Load = { crowd: few, rate: 100, streamed: true };
const many: Load = {
  crowd: { people: 1, boards: 60, agents: 10_000 },
  rate: 25,
  streamed: true,
};

/** What a delivery costs by a wait and by a stream, to 2,500 agents and to 10,000. */
export async function measureInboxes(context: Context): Promise<Section> {
  const small = await prepare(context, few);
  const large = await prepare(context, many.crowd);
  const runs = await alternate(context.runs, async () => ({
    waits: await costOn(context, small, waits),
    streams: await costOn(context, small, streams),
    many: await costOn(context, large, many),
  }));
  for (const { folder } of [small, large]) removeFolder(folder);
  const row = (
    unit: string,
    what: string,
    of: (run: (typeof runs)[number]) => number,
    most?: number,
    profile?: Profile,
  ): Row =>
    alone(
      unit,
      { what, values: runs.map(of) },
      {
        ...(most !== undefined && { target: atMost(most, "value") }),
        ...(profile && { profile }),
      },
    );
  return {
    title: "Deliveries",
    definitions: [
      "Agents are dealt to the boards in turn, 167 on each. Every post is addressed to all agents of its board (`role:member`), boards in turn, at a fixed rate. 2,500 agents wait on their inboxes (`wait=600`), or follow the stream of their inbox; 10,000 follow streams. Each run begins on a copy of the same folder, in which nothing waits for anybody.",
      "Cost of a delivery: the time that the server's main thread was on a processor, posts and all, divided by the deliveries. Times run from the sending of a post to each agent of its board. A second that does not count comes first.",
      "Memory of an agent: growth of the server's resident memory from before the streams (some were opened and ended) to two seconds after, divided by their number.",
    ],
    rows: [
      row(
        "µs",
        "delivery by long poll, 25 posts/s",
        ({ waits }) => waits.each,
        110,
        profileOf(waits),
      ),
      row("ms", "post to agent p99, long poll, 25 posts/s", ({ waits }) => waits.p99),
      row(
        "µs",
        "delivery by stream, 100 posts/s",
        ({ streams }) => streams.each,
        45,
        profileOf(streams),
      ),
      row(
        "ms",
        "post to agent p99, stream, 100 posts/s",
        ({ streams }) => streams.p99,
        40,
        profileOf(streams),
      ),
      row("µs", "delivery to 10,000 streams, 25 posts/s", ({ many }) => many.each),
      row("ms", "post to agent p99, 10,000 streams", ({ many }) => many.p99, 120, profileOf(many)),
      row("KB", "memory of each of 10,000 agents", ({ many }) => many.memory, 8, heapOf(many)),
    ],
  };
}

interface Prepared {
  folder: string;
  crowd: Crowd;
}

/** A folder with a crowd. Each run starts a server on a copy of it: nobody reads there, so all that one run posts would wait for the next. */
async function prepare({ scratch }: Context, size: CrowdSize): Promise<Prepared> {
  const folder = folderIn(scratch, "inboxes");
  const service = await startService(folder);
  const crowd = await makeCrowd(service, size);
  await service.stop();
  return { folder, crowd };
}

async function costOn(
  { quick, scratch }: Context,
  { folder, crowd }: Prepared,
  load: Load,
): Promise<Cost> {
  const copy = folderIn(scratch, "inboxes");
  cpSync(folder, copy, { recursive: true });
  const service = await startService(copy);
  const cost = await costOf(service, crowd, load, quick ? 3 : 8);
  await service.stop();
  removeFolder(copy);
  return cost;
}

async function costOf(
  service: RunningService,
  crowd: Crowd,
  { rate, streamed }: Load,
  seconds: number,
): Promise<Cost> {
  const { driver, listen } = await listenersTo(service, crowd, streamed);
  const before = await settledBytes(service.pid, 1);
  await listen();
  const after = await settledBytes(service.pid, 2);
  await driver.ask("post", scheduleFor(crowd, rate, 1));
  const started = mainThreadTime(service.pid);
  const delivered: Delivered = await driver.ask("post", scheduleFor(crowd, rate, seconds));
  const spent = mainThreadTime(service.pid) - started;
  await driver.ask("close", undefined);
  await driver.stop();
  if (delivered.missing > 0) throw new Error(`${delivered.missing} deliveries never came`);
  return {
    each: spent / delivered.poll.count,
    p99: delivered.poll.p99,
    memory: (after - before) / crowd.agents.length / 1000,
  };
}

/** The process in which the agents of a crowd will listen. What the first of them make for all is not an agent's own, so it is made. */
async function listenersTo(service: RunningService, { agents }: Crowd, streamed: boolean) {
  const driver = startDriver<DeliveryRequests>("delivery.ts");
  const listen = (some = agents) =>
    driver.ask("listen", { port: service.port, streams: [], agents: some, streamed });
  await listen(agents.slice(0, 200));
  await driver.ask("close", undefined);
  return { driver, listen };
}

/** What each agent of a load holds in memory while it listens. */
const heapOf = ({ crowd, streamed }: Load) =>
  profileOfHeap("memory of an agent", crowd.agents, async (service): Promise<Leaving> => {
    const { driver, listen } = await listenersTo(
      service,
      await makeCrowd(service, crowd),
      streamed,
    );
    return {
      leave: () => listen(),
      end: () => driver.stop(),
    };
  });

const profileOf = (load: Load) =>
  profileOfLoad(
    `${load.crowd.agents.toLocaleString("en")} agents, ${load.streamed ? "streams" : "long polls"}`,
    async (service) => costOf(service, await makeCrowd(service, load.crowd), load, 5),
  );
