import { beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A process that adds one to the folder's counter whenever it is asked. */
async function startCounter() {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "../../support/shared-counter.ts"), folder],
    {
      stdin: "pipe",
      stdout: "pipe",
    },
  );
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const said = async () => ((await lines.read()).value ?? "").trim();
  expect(await said()).toBe("ready");
  return {
    child,
    said,
    send(line: string) {
      child.stdin.write(`${line}\n`);
      return child.stdin.flush();
    },
  };
}

/** Leaves a lock whose holder was killed, as old as any program could ask for. */
async function leaveLock(): Promise<void> {
  const { child, send } = await startCounter();
  await send("die");
  await child.exited;
  utimesSync(join(folder, "counter.json.lock"), 0, 0);
}

test("when many processes find an abandoned lock, they take it over one at a time", async () => {
  const counters = await Promise.all(Array.from({ length: 12 }, startCounter));
  const rounds = 15;
  for (let round = 1; round <= rounds; round++) {
    await leaveLock();
    await Promise.all(counters.map(({ send }) => send("add")));
    const answers = await Promise.all(counters.map(({ said }) => said()));
    expect(answers).toEqual(counters.map(() => "done"));
    expect(existsSync(join(folder, "met"))).toBe(false);
    expect(readFileSync(join(folder, "counter.json"), "utf8")).toBe(`${12 * round}\n`);
    expect(readdirSync(folder)).toEqual(["counter.json"]);
  }
  for (const { child } of counters) child.stdin.end();
  await Promise.all(counters.map(({ child }) => child.exited));
}, 60_000);
