import { expect, test } from "bun:test";
import { drawFrom } from "../support/hostile/draw.ts";
import { startMeasured, type Settings } from "../support/hostile/measured-server.ts";
import { riseOf } from "../support/soak/line.ts";
import { openOffice } from "../support/soak/office.ts";
import { seed, sized } from "../support/tries.ts";

/** So many days, of which the first ones fill what is kept in memory on purpose. */
const days = sized(12, 30);
const warmUp = sized(6, 5);
const office = { people: sized(3, 25), agents: sized(24, 250), sentences: sized(20, 80) };
/** What the caches of the log hold. They are full when the first days have passed, with few messages too. */
const caches = sized(50_000, 8 * 1024 * 1024);
/** The rise of a day that is allowed, as a part of the whole. In a few small days a server still compiles what it runs. */
const mostRise = sized(0.02, 0.01);
const halfDay = 12 * 60 * 60;

/** What the heap of a server holds at the end of each simulated day. */
async function heapsOf(settings: Settings): Promise<number[]> {
  // With a limit that nobody reaches, what the limits count is there.
  const server = await startMeasured({ rateScale: 100_000, cachedCharacters: caches, ...settings });
  const { work } = await openOffice(server, office, drawFrom(seed));
  const heaps: number[] = [];
  for (let day = 0; day < days; day++) {
    await work();
    await server.measure(halfDay);
    await work();
    const { heap } = await server.measure(halfDay);
    heaps.push(heap);
  }
  expect(server.runs()).toBe(true);
  await server.stop();
  return heaps;
}

const time = Math.max(60_000, days * 60_000);

test(
  "the heap of a server does not rise from day to day",
  async () => {
    const heaps = await heapsOf({});
    const rise = riseOf(heaps.slice(warmUp));
    const mebibytes = heaps.map((heap) => (heap / 2 ** 20).toFixed(1)).join(" ");
    console.log(`${mebibytes} MiB: it rises by ${(rise * 100).toFixed(2)} % a day`);
    expect(rise).toBeLessThan(mostRise);
  },
  time,
);

test(
  "a server that keeps a line of each request is found",
  async () => {
    const heaps = await heapsOf({ leaks: true });
    expect(riseOf(heaps.slice(warmUp))).toBeGreaterThan(mostRise);
  },
  time,
);
