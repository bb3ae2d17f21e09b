import { atMost, compared, type Row, type Section } from "../figures.ts";
import { startDriver } from "../drivers/driver.ts";
import type { StreamRequests } from "../drivers/streams.ts";
import { settledBytes } from "../processes.ts";
import { profileOfLoad } from "../profile.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService, type RunningService } from "../service.ts";
import { median } from "../stats.ts";
import { makeCrowd, post } from "../world.ts";
import { eventText, startBareStreams } from "./bare-streams.ts";
import { deliveryRows, measureDelivery } from "./delivery.ts";
import { alternate, type Context } from "./part.ts";
import { measureStalled, stalledDefinition, stalledRows } from "./stalled.ts";

/** Memory of one stream in KB, and the milliseconds until all have seen an event. */
interface Streams {
  each: number;
  all: number;
}
interface Pair {
  own: Streams;
  bare: Streams;
}

const people = 100;
const events = 5;
/** Many open streams beside bare Bun streams, a stalled reader, and how long a post takes to those who listen. */
export async function measureStreams(context: Context): Promise<Section> {
  const counts = [1000, 10_000];
  const pairs = await alternate(context.runs, async () => {
    const byCount: Pair[] = [];
    for (const count of counts)
      byCount.push({ own: await ownStreams(context, count), bare: await bareStreams(count) });
    return byCount;
  });
  const stalled = await alternate(context.runs, () => measureStalled(context));
  const delivered = await alternate(context.runs, () => measureDelivery(context));
  return {
    title: "Streams and waits",
    definitions: [
      `Open streams: ${people} people on one board, each with as many streams; one post is one event for all of them. Its time runs from the request to the last stream, the median of ${events} posts. Streams are read over raw sockets by one process.`,
      "Memory of a stream: growth of the server's resident memory from before the streams (200 others were opened and ended) to two seconds after, divided by their number.",
      "Bare Bun streams: `bench/bare-streams.ts`, a `Bun.serve` that sends the same bytes to every open `ReadableStream`.",
      stalledDefinition,
      "One listener: 50 posts a second, one open stream and one agent that waits on its inbox. 250 streams: 25 people with ten streams each on one board, 200 posts a second; the last stream is the last of the 250 to see a post.",
    ],
    rows: [
      ...counts.flatMap((count, i) =>
        streamRows(
          count,
          pairs.map((run) => run[i]!),
        ),
      ),
      ...stalledRows(stalled),
      ...deliveryRows(delivered),
    ],
  };
}

function streamRows(count: number, pairs: Pair[]): Row[] {
  const name = `${count.toLocaleString("en")} streams`;
  const series = (what: string, of: (pair: Pair) => number) => ({ what, values: pairs.map(of) });
  const isTarget = count === 10_000;
  const bareMemory = series("bare Bun stream", ({ bare }) => bare.each);
  return [
    compared(
      "KB",
      series(`${name}: memory of each`, ({ own }) => own.each),
      bareMemory,
      {
        ...(isTarget && { target: atMost(6, "value") }),
      },
    ),
    compared(
      "ms",
      series(`${name}: until all saw an event`, ({ own }) => own.all),
      series("bare Bun streams", ({ bare }) => bare.all),
      { ...(isTarget && { target: atMost(1.5), profile: manyStreams }) },
    ),
  ];
}

async function ownStreams({ scratch }: Context, count: number): Promise<Streams> {
  const folder = folderIn(scratch, "streams");
  const service = await startService(folder);
  const measured = await crowdedStreams(service, count);
  await service.stop();
  removeFolder(folder);
  return measured;
}

async function crowdedStreams(service: RunningService, count: number): Promise<Streams> {
  const crowd = await makeCrowd(service, { people, boards: 1, agents: 0 });
  const tokens = crowd.people.map(({ token }) => token);
  return openAndTell(
    service.pid,
    { port: service.port, path: "/v1/stream", tokens, each: count / people },
    {
      path: "/v1/boards/board-1/messages",
      token: service.token,
      body: JSON.stringify({ body: post.body }),
    },
  );
}

async function bareStreams(count: number): Promise<Streams> {
  const bare = await startBareStreams();
  const measured = await openAndTell(
    bare.pid,
    { port: bare.port, path: "/stream", tokens: ["none"], each: count },
    { path: "/event", body: eventText },
  );
  await bare.stop();
  return measured;
}

async function openAndTell(
  pid: number,
  open: Parameters<StreamRequests["open"]>[0],
  event: Parameters<StreamRequests["event"]>[0],
): Promise<Streams> {
  const driver = startDriver<StreamRequests>("streams.ts");
  // What the first streams make for all of them is not a stream's own.
  await driver.ask("open", { ...open, each: Math.ceil(200 / open.tokens.length) });
  await driver.ask("close", undefined);
  const before = await settledBytes(pid, 1);
  await driver.ask("open", open);
  const after = await settledBytes(pid, 2);
  const times = [];
  for (let i = 0; i < events; i++) times.push(await driver.ask("event", event));
  await driver.ask("close", undefined);
  await driver.stop();
  return { each: (after - before) / open.tokens.length / open.each / 1000, all: median(times) };
}

const manyStreams = profileOfLoad("10,000 streams", (service) => crowdedStreams(service, 10_000));
