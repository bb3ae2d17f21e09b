/*
 * The program of `startMeasured()`: a team's server as a process of its own, so that a crash is seen and its memory is
 * its own. Its log goes to its stderr. Its clock moves when the test says so.
 */
import { heapStats } from "bun:jsc";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../../../src/server/serve.ts";
import { sweep } from "../../../src/server/sweeps.ts";
import { publicUrl, type Asked, type Memory, type Settings, type Told } from "./measured-server.ts";

const [folder, port, settings] = process.argv.slice(2) as [string, string, string];
const { rateScale = 0, leaks = false, ...caches } = JSON.parse(settings) as Settings;
const keyFile = join(folder, "admin-key");
let ahead = 0;
/** What a server would hold that forgets to forget its requests. */
const leaked: unknown[] = [];
const server = await startServer({
  mode: "team",
  publicUrl,
  dataFolder: join(folder, "data"),
  hostname: "127.0.0.1",
  port: Number(port),
  keyFile,
  firstHandle: "ana",
  keyName: "laptop",
  version: "0.0.0-test",
  rateScale,
  logLevel: "info",
  log(line) {
    process.stderr.write(`${line}\n`);
    if (leaks) leaked.push(line.padEnd(3000));
  },
  database: {
    clock: () => new Date(Date.now() + ahead * 1000),
    synchronous: "NORMAL",
    ...caches,
  },
});

function memory(): Memory {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return { rss: process.memoryUsage.rss(), heap: heapSize + extraMemorySize };
}

const tell = (told: Told) => process.send!(told);
process.on("message", ({ pass = 0 }: Asked) => {
  ahead += pass;
  void sweep(server.db).then(() => tell({ memory: memory() }));
});
tell({ key: readFileSync(keyFile, "utf8").trim() });
