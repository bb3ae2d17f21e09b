import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memoryBacked = new Map([
  [0x01021994, "tmpfs"],
  [0x858458f6, "ramfs"],
]);

const onDisk = (folder: string) => !memoryBacked.has(statfsSync(folder).type);

/** A folder for every file of this run, on a disk: a commit that waits for no disk measures nothing. */
export function makeScratch(): string {
  const build = new URL("../dist", import.meta.url).pathname;
  const folder = [tmpdir(), "/var/tmp", build].find((candidate) => {
    if (candidate === build) mkdirSync(build, { recursive: true });
    return onDisk(candidate);
  });
  if (!folder)
    throw new Error("No folder on a disk: set TMPDIR to one whose file system is not memory");
  return mkdtempSync(join(folder, "service-bench-"));
}

/** Removes a folder that `makeScratch` or `folderIn` made. */
export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** A new folder inside another. */
export const folderIn = (parent: string, name: string) => mkdtempSync(join(parent, `${name}-`));

/** Lets the kernel forget what it holds of a file, where `dd` can ask for that, and reads the file into its memory again. */
export async function readAnew(file: string): Promise<void> {
  const script = 'sync "$0" && dd if="$0" iflag=nocache count=0 status=none; cat "$0" > /dev/null';
  await Bun.spawn(["sh", "-c", script, file], { stdio: ["ignore", "ignore", "ignore"] }).exited;
}

/** The kind of file system a folder lies on, as the kernel's mount table names it. */
export function fileSystemOf(folder: string): string {
  const mounts = readFileSync("/proc/self/mounts", "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const holding = mounts
    .filter(([, at = ""]) => at === "/" || folder === at || folder.startsWith(`${at}/`))
    .sort(([, a = ""], [, b = ""]) => a.length - b.length)
    .at(-1);
  return holding ? `${holding[2]} (${holding[0]}, ${holding[3]})` : "unknown";
}
