import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Profile } from "./figures.ts";
import { freePort } from "./processes.ts";
import { folderIn, removeFolder } from "./scratch.ts";
import { serviceEnvironment, startFromSource, type RunningService } from "./service.ts";

const linesShown = 25;
const root = new URL("..", import.meta.url).pathname;

/** Work against a server from source, under Bun's sampling profiler. */
export const profileOfLoad = (
  name: string,
  load: (service: RunningService) => Promise<unknown>,
): Profile => ({
  name,
  take: (scratch) =>
    profiled(scratch, async (folder, profiler) => {
      const mode = { commit: "group", synchronous: "FULL" } as const;
      const service = await startFromSource(folder, mode, profiler);
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

async function profiled(
  scratch: string,
  work: (folder: string, profiler: string[]) => Promise<void>,
): Promise<string> {
  const folder = folderIn(scratch, "profile");
  const fine = ["--cpu-prof-interval", "200"];
  await work(folder, ["--cpu-prof-md", ...fine, "--cpu-prof-dir", folder]);
  const file = readdirSync(folder).find((name) => name.startsWith("CPU.") && name.endsWith(".md"));
  if (!file) throw new Error("The profiler wrote nothing");
  const text = hottest(readFileSync(join(folder, file), "utf8"));
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
