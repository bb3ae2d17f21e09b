import { startDriver } from "../drivers/driver.ts";
import { connect, requestText } from "../drivers/http.ts";
import type { StreamRequests } from "../drivers/streams.ts";
import { alone, atMost, compared, type Row } from "../figures.ts";
import { watchPeak } from "../processes.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService } from "../service.ts";
import { fill, makeDesk } from "../world.ts";
import { startBareStreams } from "./bare-streams.ts";
import type { Context } from "./part.ts";

const readers = 16;
const posts = 40_000;
const boards = Array.from({ length: 64 }, (_, i) => `a-board-whose-name-is-long-${i + 10}`);
/** About what a stream gets for a post on one of these boards. */
const eventBytes = 250;

/** What one reader that never reads costs, in MB, and how many of them the server ended. */
export interface Stalled {
  own: number;
  ended: number;
  bare: number;
}

/** The text that explains this measurement. */
export const stalledDefinition = `A stalled reader: ${readers} streams, each with a key of its own, that are opened and never read while ${posts.toLocaleString("en")} posts to 64 boards send each of them about ${Math.round((posts * eventBytes) / 1e6)} MB, of which the kernel takes the first few; beside a server with as many streams that are read. The difference of the greatest resident memory, divided by ${readers}. The bare Bun server sends as much without a limit.`;

/** Measures the service and the bare server, each with readers that read and readers that do not. */
export async function measureStalled(context: Context): Promise<Stalled> {
  const reading = await ownPeak(context, false);
  const stalled = await ownPeak(context, true);
  const bareReading = await barePeak(false);
  const bareStalled = await barePeak(true);
  const each = (more: number, less: number) => (more - less) / readers / 1e6;
  return {
    own: each(stalled.peak, reading.peak),
    ended: stalled.ended,
    bare: each(bareStalled.peak, bareReading.peak),
  };
}

async function ownPeak({ scratch }: Context, stalled: boolean) {
  const folder = folderIn(scratch, "stalled");
  const service = await startService(folder);
  const desk = await makeDesk(service);
  for (const name of boards) await service.client.call("createBoard", { body: { name } });
  const tokens = [];
  for (let i = 1; i <= readers; i++)
    tokens.push((await service.client.call("createKey", { body: { name: `key-${i}` } })).token);
  const open = { port: service.port, path: "/v1/stream", tokens, each: 1, stalled };
  const measured = await peakWhile(service.pid, open, () => fill(service, desk, posts, boards));
  await service.stop();
  removeFolder(folder);
  return measured;
}

async function barePeak(stalled: boolean) {
  const bare = await startBareStreams();
  const atOnce = 40;
  const event = requestText(bare.port, "POST", "/copies", "none", "x".repeat(eventBytes * atOnce));
  const open = { port: bare.port, path: "/stream", tokens: ["none"], each: readers, stalled };
  const measured = await peakWhile(bare.pid, open, async () => {
    const connection = await connect(bare.port);
    for (let i = 0; i < posts / atOnce; i++) await connection.send(event);
    connection.close();
  });
  await bare.stop();
  return measured;
}

/** The greatest resident memory of a server while something is sent to its streams. */
async function peakWhile(
  pid: number,
  open: Parameters<StreamRequests["open"]>[0],
  send: () => Promise<void>,
): Promise<{ peak: number; ended: number }> {
  const driver = startDriver<StreamRequests>("streams.ts");
  await driver.ask("open", open);
  const peak = watchPeak(pid);
  await send();
  const bytes = peak();
  const ended = await driver.ask("ended", undefined);
  await driver.ask("close", undefined);
  await driver.stop();
  return { peak: bytes, ended };
}

/** The rows of the stalled readers. */
export const stalledRows = (runs: Stalled[]): Row[] => [
  compared(
    "MB",
    { what: "a stalled reader", values: runs.map(({ own }) => own) },
    { what: "bare Bun stream", values: runs.map(({ bare }) => bare) },
    { target: atMost(1, "value") },
  ),
  alone(`of ${readers}`, {
    what: "stalled readers that the server ended",
    values: runs.map(({ ended }) => ended),
  }),
];
