import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Profile } from "./figures.ts";
import { freePort, residentBytes } from "./processes.ts";
import { folderIn, removeFolder } from "./scratch.ts";
import { serviceEnvironment, startFromSource, type RunningService } from "./service.ts";

const linesShown = 25;
const usual = { commit: "group", synchronous: "FULL" } as const;
const root = new URL("..", import.meta.url).pathname;

/** Work against a server from source, under Bun's sampling profiler. */
export const profileOfLoad = (
  name: string,
  load: (service: RunningService) => Promise<unknown>,
): Profile => ({
  name,
  take: (scratch) =>
    profiled(scratch, async (folder, profiler) => {
      const service = await startFromSource(folder, usual, profiler);
      await load(service);
      await service.stop();
    }),
});

/** A command of the program from source, run to its end under Bun's sampling profiler. */
export const profileOfCommand = (name: string, words: string[]): Profile => ({
  name,
  take: (scratch) =>
    profiled(scratch, async (folder, profiler) => {
      const env = serviceEnvironment(folder, freePort());
      const run = (flags: string[], ...words: string[]) =>
        Bun.spawn([process.execPath, ...flags, join(root, "src/main.ts"), ...words], {
          env,
          stdio: ["ignore", "ignore", "ignore"],
        }).exited;
      await run(profiler, ...words);
      // A command that found no server has started one.
      await run([], "down");
    }),
});

/** What each of so many things holds in a server from source: what work leaves behind, by kinds of objects. */
export const profileOfHeap = (
  name: string,
  each: number,
  work: (service: RunningService) => Promise<Leaving>,
): Profile => ({
  name,
  async take(scratch) {
    const folder = folderIn(scratch, "profile");
    const service = await startFromSource(folder, usual);
    const { leave, end } = await work(service);
    const [before, residentBefore] = [await service.ask("heap"), residentBytes(service.pid)];
    await leave();
    const [after, residentAfter] = [await service.ask("heap"), residentBytes(service.pid)];
    await end();
    await service.stop();
    removeFolder(folder);
    const more = (now: number, then = 0) => (now - then) / each;
    const kinds = Object.entries(after.objects)
      .map(([kind, count]) => [kind, more(count, before.objects[kind])] as const)
      .filter(([, count]) => count >= 0.1)
      .sort(([, one], [, other]) => other - one);
    return [
      `From source, after garbage was collected: ${more(after.bytes, before.bytes).toFixed(0)} bytes of objects for each of ${each.toLocaleString("en")}, and with them ${more(residentAfter, residentBefore).toFixed(0)} bytes of resident memory.`,
      "",
      "| objects of each | kind |",
      "| ---: | --- |",
      ...kinds.slice(0, linesShown).map(([kind, count]) => `| ${count.toFixed(1)} | \`${kind}\` |`),
    ].join("\n");
  },
});

/** Work that leaves something behind once it is told to, and that ends. */
export interface Leaving {
  leave(): Promise<unknown>;
  end(): Promise<unknown>;
}

async function profiled(
  scratch: string,
  work: (folder: string, profiler: string[]) => Promise<void>,
): Promise<string> {
  const folder = folderIn(scratch, "profile");
  const fine = ["--cpu-prof-interval", "200"];
  await work(folder, ["--cpu-prof-md", ...fine, "--cpu-prof-dir", folder]);
  const file = readdirSync(folder).find((name) => name.startsWith("CPU.") && name.endsWith(".md"));
  if (!file) throw new Error("The profiler wrote nothing");
  const text = `From source, under Bun's profiler.\n\n${hottest(readFileSync(join(folder, file), "utf8"))}`;
  removeFolder(folder);
  return text;
}

/** The profiler's table of functions by their own time, without this machine's paths. */
function hottest(profile: string): string {
  const [, section = ""] = profile.split("## Hot Functions");
  const table = section
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("|"));
  return table
    .slice(0, linesShown + 2)
    .join("\n")
    .replaceAll(root, "");
}
