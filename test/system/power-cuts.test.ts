import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { drawFrom } from "../support/hostile/draw.ts";
import { lossesIn } from "../support/power/losses.ts";
import { modelledDisk } from "../support/power/modelled-disk.ts";
import { isSynced, layOut, leavings } from "../support/power/power-cut.ts";
import { homes } from "../support/power/recorder.ts";
import { recordOffice } from "../support/power/recorded-office.ts";
import { drawnStops, replay, stopsAtPromises, type Cut } from "../support/power/replay.ts";
import { freePort } from "../support/servers/free-port.ts";
import { spawnServer } from "../support/servers/server-as-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { seed, sized } from "../support/tries.ts";

const cuts = Number(process.env["CUTS"] ?? sized(50, 1200));
const folder = temporaryFolder();
const recording = await recordOffice(folder, { posts: sized(5, 20), uploads: sized(4, 10) });
const draw = drawFrom(seed);
/** The first leaves least, the second most. */
const ways = Object.keys(leavings);

/** Each file and folder below a folder, with the digest of what it holds. */
const contentOf = (root: string) =>
  new Map(
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .sort()
      .map((path) => {
        const isFolder = statSync(join(root, path)).isDirectory();
        return [path, isFolder ? "folder" : sha256(readFileSync(join(root, path)))];
      }),
  );
const sha256 = (bytes: Uint8Array) => Bun.CryptoHasher.hash("sha256", bytes, "hex");

/** Lays out what a cut leaves in a folder of its own while `work` runs. */
async function withLeft<T>(cut: Cut, way: string, work: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(folder, "cut-"));
  try {
    layOut(cut.disk, root, leavings[way]!, draw);
    return await work(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("the modelled disk has what the real one has, if nothing is cut", async () => {
  const { steps } = modelledDisk(recording.root, recording.calls);
  await replay(recording, new Set([steps.length - 1]), (cut) =>
    withLeft(cut, "everything", async (root) => {
      expect(contentOf(root)).toEqual(contentOf(recording.root));
      expect(contentOf(root).size).toBeGreaterThan(20);
    }),
  );
}, 60_000);

/** What is tried of what a cut may leave: one thing if all is synced, else the least, the most and some more. */
function waysOf({ disk }: Cut): readonly string[] {
  const [least, most, ...others] = ways;
  if (isSynced(disk)) return [least!];
  return [least!, most!, ...(sized(0, 1) ? others : [draw.pick(others)])];
}

/** Cuts the power after these steps, and gives what is lost, of how many states of the disk. */
async function lossesAfter(stops: ReadonlySet<number>) {
  const lost: unknown[] = [];
  let states = 0;
  await replay(recording, stops, async (cut) => {
    for (const way of waysOf(cut)) {
      const losses = await withLeft(cut, way, (root) => lossesIn(root, cut.promises));
      states++;
      if (losses.length > 0) lost.push({ after: cut.after, way, losses });
    }
  });
  if (process.env["SHOW_FIGURES"]) {
    const { promises, calls } = recording;
    console.log({ cuts: stops.size, states, promises: promises.length, calls: calls.length });
  }
  return { lost, states };
}

test("whatever a power cut leaves, the server starts and no acknowledged post, upload, key or seat is lost", async () => {
  const { lost, states } = await lossesAfter(drawnStops(recording, cuts, draw));
  expect(lost.slice(0, 5)).toEqual([]);
  expect(states).toBeGreaterThan(cuts);
}, 3_600_000);

test("whatever a power cut leaves of a restore, it is done or the same restore does it", async () => {
  const isOfRestore = (what: string) => what.includes(" next/data/.restore");
  const stops = drawnStops(recording, sized(10, 100), draw, isOfRestore);
  expect((await lossesAfter(stops)).lost.slice(0, 5)).toEqual([]);
  expect(stops.size).toBeGreaterThan(9);
}, 3_600_000);

test.each([
  ["the log of the database", /-wal$/, "post"],
  ["the bytes of files", /\/files\/incoming\//, "file"],
  ["the names of files", /\/files\/..$/, "file"],
  ["the bytes of imported files", /\/files\/incoming\//, "import"],
  ["the bytes of keys", /\/servers\.json\..+\.new$/, "kept key"],
  ["the names of keys", /\/laptop\/config$/, "kept key"],
  ["the names of folders of keys", /\/laptop$/, "kept key"],
  ["the bytes of exports", /\/\.docs\.tar\..+\.part$/, "export"],
  ["the bytes of backups", /\.partial\/(service\.db|files\/.*)$/, "backup"],
  ["the names of backups", /\/saved$/, "backup"],
  ["the bytes of seats", /\/credentials\.json\..+\.new$/, "kept seat"],
] as const)(
  "a disk that forgets to sync %s is found to lose what was acknowledged",
  async (_, forgotten, what) => {
    const lost: string[] = [];
    const isFound = () => lost.some((loss) => loss.startsWith(`lost: {"what":"${what}"`));
    const stop = async (cut: Cut) => {
      if (!isFound())
        lost.push(...(await withLeft(cut, ways[0]!, (root) => lossesIn(root, cut.promises))));
    };
    await replay(
      recording,
      stopsAtPromises(recording, what),
      stop,
      (path) => !forgotten.test(path),
    );
    expect(isFound()).toBe(true);
  },
  60_000,
);

test("the built program starts on what a power cut left", async () => {
  await replay(recording, drawnStops(recording, sized(4, 40), draw), async (cut) => {
    await withLeft(cut, draw.pick(ways), async (root) => {
      const home = join(root, homes.server);
      mkdirSync(home, { recursive: true });
      const SERVICE_LOCAL_ADDR = `127.0.0.1:${freePort()}`;
      const server = await spawnServer(home, { SERVICE_LOCAL_ADDR });
      try {
        expect([cut.after, await server.ready()]).toEqual([
          cut.after,
          `http://${SERVICE_LOCAL_ADDR}`,
        ]);
      } finally {
        await server.kill();
      }
    });
  });
}, 120_000);
