import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../src/db/engine/database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const opener = join(import.meta.dir, "../../src/db/engine/open-alone.ts");

/** A process that takes a file's lock, says so, and lets go of it after so many milliseconds. */
async function lockFor(file: string, ms: number): Promise<Bun.Subprocess> {
  const script = `import { openAlone } from ${JSON.stringify(opener)};
    const lock = openAlone(${JSON.stringify(file)}, "FULL");
    console.log("held");
    setTimeout(() => lock.close(), ${ms});`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  await child.stdout.getReader().read();
  return child;
}

test("a lock that is let go of in a moment is waited for: two first starts at once hinder each other", async () => {
  const file = join(folder, "service.db");
  const other = await lockFor(file, 50);
  openDatabase(file).close();
  expect(await other.exited).toBe(0);
});
