import { appendFileSync, closeSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { changeJson } from "../../src/client/machine/private-files.ts";

/**
 * One of several processes that change a file at once. At each line that it is sent it adds one under the lock, and notes
 * whenever another process was there too. Sent `die`, it ends while it holds the lock.
 */
const [folder = ""] = process.argv.slice(2);
const file = {
  path: join(folder, "counter.json"),
  holds: (content: unknown): content is number => typeof content === "number",
};
const inside = join(folder, "inside");

function addOne(count: number): number {
  try {
    closeSync(openSync(inside, "wx"));
  } catch {
    appendFileSync(join(folder, "met"), `${process.pid}\n`);
  }
  Bun.sleepSync(1);
  rmSync(inside, { force: true });
  return count + 1;
}

console.log("ready");
const line = Buffer.alloc(16);
for (;;) {
  const length = readSync(0, line);
  if (length === 0) break;
  if (line.toString("utf8", 0, length).startsWith("die"))
    changeJson(file, 0, () => {
      process.kill(process.pid, "SIGKILL");
      return 0;
    });
  try {
    changeJson(file, 0, addOne);
    console.log("done");
  } catch (error) {
    console.log(`failed: ${(error as Error).message}`);
  }
}
