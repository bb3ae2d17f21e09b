import { startDriver } from "../drivers/driver.ts";
import type { Delivered, DeliveryRequests, Listeners, Schedule } from "../drivers/delivery.ts";
import { alone, type Row } from "../figures.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService } from "../service.ts";
import { makeCrowd, post, type Crowd } from "../world.ts";
import type { Context } from "./part.ts";

/** A post's way to one listener, and to 250 streams at 200 posts a second. */
export interface Deliveries {
  one: Delivered;
  many: Delivered;
}

/** Opens listeners, makes the posts of one schedule after the other as long as `goOn` says so, and gives the times of each. */
export async function deliver(
  listeners: Listeners,
  schedules: Schedule[],
  goOn: (delivered: Delivered) => boolean = () => true,
): Promise<Delivered[]> {
  const driver = startDriver<DeliveryRequests>("delivery.ts");
  await driver.ask("listen", listeners);
  const results: Delivered[] = [];
  for (const schedule of schedules) {
    const delivered = await driver.ask("post", schedule);
    results.push(delivered);
    if (!goOn(delivered)) break;
  }
  await driver.ask("close", undefined);
  await driver.stop();
  return results;
}

const toAgents = { body: post.body, to: ["role:member"] };

/** Posts to all agents of each board in turn, by somebody on it. */
export const scheduleFor = (crowd: Crowd, rate: number, seconds: number): Schedule => ({
  rate,
  seconds,
  posters: crowd.boards.map((board) => ({ board, token: crowd.people[0]!.token })),
  body: toAgents,
});

/** Makes both measurements, each on a server of its own. */
export async function measureDelivery(context: Context): Promise<Deliveries> {
  const { seconds } = context;
  const one = await delivery(context, {
    people: 1,
    each: 1,
    agents: 1,
    rate: 50,
    seconds: seconds + 1,
  });
  const many = await delivery(context, {
    people: 25,
    each: 10,
    agents: 0,
    rate: 200,
    seconds: seconds * 2,
  });
  return { one, many };
}

interface Size {
  people: number;
  /** Streams of each person. */
  each: number;
  agents: number;
  rate: number;
  seconds: number;
}

async function delivery({ scratch }: Context, size: Size): Promise<Delivered> {
  const folder = folderIn(scratch, "delivery");
  const service = await startService(folder);
  const crowd = await makeCrowd(service, { people: size.people, boards: 1, agents: size.agents });
  const streams = crowd.people.flatMap((person) => Array(size.each).fill(person));
  const listeners = { port: service.port, streams, agents: crowd.agents };
  const warm = scheduleFor(crowd, size.rate, 1);
  const [, delivered] = await deliver(listeners, [
    warm,
    scheduleFor(crowd, size.rate, size.seconds),
  ]);
  await service.stop();
  removeFolder(folder);
  if (delivered!.missing > 0) throw new Error(`${delivered!.missing} deliveries never came`);
  return delivered!;
}

/** The rows of both measurements. */
export function deliveryRows(runs: Deliveries[]): Row[] {
  const rows: Row[] = [];
  const add = (what: string, of: (run: Deliveries) => { p50: number; p99: number }) => {
    for (const share of ["p50", "p99"] as const)
      rows.push(
        alone("ms", { what: `${what} ${share}`, values: runs.map((run) => of(run)[share]) }),
      );
  };
  add("one listener: post to answer", ({ one }) => one.write);
  add("one listener: post to stream", ({ one }) => one.stream);
  add("one listener: post to long poll", ({ one }) => one.poll);
  add("200 posts/s, 250 streams: post to answer", ({ many }) => many.write);
  add("200 posts/s, 250 streams: post to stream", ({ many }) => many.stream);
  add("200 posts/s, 250 streams: post to last stream", ({ many }) => many.lastStream);
  return rows;
}
