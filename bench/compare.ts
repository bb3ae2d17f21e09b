import { existsSync } from "node:fs";
import { startDriver } from "./drivers/driver.ts";
import type { StreamRequests } from "./drivers/streams.ts";
import { figure } from "./figures.ts";
import { answerTime, saveSeat, timeOf } from "./parts/startup.ts";
import { alternate } from "./parts/part.ts";
import { residentBytes, stopAll } from "./processes.ts";
import { body } from "./raw.ts";
import { markdownTable } from "./report.ts";
import { folderIn, makeScratch, removeFolder } from "./scratch.ts";
import { serviceEnvironment, startService, type RunningService } from "./service.ts";
import { median } from "./stats.ts";
import { fill, makeDesk, post, type Desk } from "./world.ts";
import { wrk, type Load } from "./wrk.ts";

/** The figures of one build by name. More is better for those per second, less for the others. */
type Figures = Record<string, { readonly value: number; readonly unit: "/s" | "ms" | "MB" }>;

const pairs = 9;
const seconds = 1;
/** Below this share of the old build's speed, a row whose whole middle half lies there is slower. */
const bound = 0.95;

/** Measures everything once on one build, with a server and a folder of its own. */
async function measure(program: string, scratch: string): Promise<Figures> {
  const folder = folderIn(scratch, "compare");
  const service = await startService(folder, program);
  const desk = await makeDesk(service);
  const reading = await makeDesk(service, "reading");
  const underLoad = {
    ...(await postRates(desk)),
    ...(await readRates(service, reading)),
    "1,000 streams: until all saw an event": ms(await streamTime(service, reading)),
    "memory of the server after this work": { value: residentBytes(service.pid) / 1e6, unit: "MB" },
  } as const;
  saveSeat(folder, desk);
  const command = (...words: string[]) =>
    medianOf(9, () => timeOf([program, ...words], serviceEnvironment(folder, service.port)));
  const say = await command("say", post.body, "--as", "reader");
  const read = await command("read", "--as", "reader");
  const version = await command("version");
  await service.stop();
  const serve = await medianOf(5, () => answerTime([program, "serve"], folder));
  removeFolder(folder);
  return {
    ...underLoad,
    "service say": ms(say),
    "service read": ms(read),
    "service version": ms(version),
    "service serve, first answer": ms(serve),
  };
}

const ms = (value: number) => ({ value, unit: "ms" }) as const;

async function rate(load: Omit<Load, "seconds">) {
  return { value: (await wrk({ ...load, seconds })).rate, unit: "/s" } as const;
}

async function postRates({ url, token }: Desk): Promise<Figures> {
  const posting = { url, token, body: post };
  await rate({ ...posting, connections: 64 });
  return {
    "posts, 1 connection": await rate({ ...posting, connections: 1 }),
    "posts, 16 connections": await rate({ ...posting, connections: 16 }),
    "posts, 64 connections": await rate({ ...posting, connections: 64 }),
  };
}

async function readRates(service: RunningService, desk: Desk): Promise<Figures> {
  const board = `${service.url}/v1/boards/${desk.board}`;
  const person = (url: string, connections = 64) => rate({ url, token: desk.token, connections });
  const inbox = () =>
    rate({ url: `${service.url}/v1/me/inbox`, token: desk.agentToken, connections: 64 });
  const empty = await inbox();
  await fill(service, desk, 1000);
  return {
    "empty inbox": empty,
    "inbox of 50 messages": await inbox(),
    "pages of 50 messages": await person(`${desk.url}?newest=true&limit=50`),
    boards: await person(`${service.url}/v1/boards`),
    members: await person(`${board}/members`),
    "a search for a common word": await person(
      `${board}/search?q=${body.split(" ")[0]}&limit=20`,
      4,
    ),
  };
}

async function medianOf(times: number, measureOne: () => Promise<number>): Promise<number> {
  return median(await alternate(times, measureOne));
}

/** Milliseconds from a post until 1,000 streams of the desk's owner have seen it, the median of five. */
async function streamTime({ port }: RunningService, { board, token }: Desk): Promise<number> {
  const driver = startDriver<StreamRequests>("streams.ts");
  await driver.ask("open", { port, path: "/v1/stream", tokens: [token], each: 1000 });
  const event = { path: `/v1/boards/${board}/messages`, token, body: JSON.stringify({ body }) };
  const time = await medianOf(5, () => driver.ask("event", event));
  await driver.ask("close", undefined);
  await driver.stop();
  return time;
}

/** One line for each figure: both medians, the median of the pairs' ratios as a speed, and the quartiles of those. */
function tableOf(before: readonly Figures[], after: readonly Figures[]): string {
  const rows = Object.entries(before[0]!).map(([name, { unit }]) => {
    const old = before.map((run) => run[name]!.value);
    const now = after.map((run) => run[name]!.value);
    const speeds = now
      .map((value, run) => (unit === "/s" ? value / old[run]! : old[run]! / value))
      .sort((a, b) => a - b);
    const lower = speeds[Math.floor(speeds.length / 4)]!;
    const upper = speeds[Math.ceil((speeds.length * 3) / 4) - 1]!;
    return [
      name,
      `${figure(median(old))} ${unit}`,
      `${figure(median(now))} ${unit}`,
      median(speeds).toFixed(3),
      `${lower.toFixed(3)} to ${upper.toFixed(3)}`,
      upper < bound ? "SLOWER" : "",
    ];
  });
  const head = ["what", "old", "new", "speed, new : old", "middle half of the pairs", ""];
  return markdownTable({ head, rows });
}

const [old = "", now = ""] = process.argv.slice(2);
if (!existsSync(old) || !existsSync(now)) {
  console.error(
    "Usage: bun bench/compare.ts OLD NEW\n\nTwo builds of dist/service. Nothing else should run.",
  );
  process.exit(2);
}
const scratch = makeScratch();
try {
  const before: Figures[] = [];
  const after: Figures[] = [];
  for (let pair = 1; pair <= pairs; pair++) {
    // Every other pair begins with the new build, so that neither always finds the machine warm.
    const first = pair % 2 === 1 ? ([old, before] as const) : ([now, after] as const);
    const second = pair % 2 === 1 ? ([now, after] as const) : ([old, before] as const);
    for (const [program, figures] of [first, second]) figures.push(await measure(program, scratch));
    console.error(`pair ${pair} of ${pairs}`);
  }
  console.log(tableOf(before, after));
} finally {
  await stopAll();
  removeFolder(scratch);
}
