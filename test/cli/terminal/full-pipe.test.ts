import { dlopen } from "bun:ffi";
import { expect, test } from "bun:test";
import { closeSync, readSync, writeSync } from "node:fs";
import { newMachine } from "../../support/commands/machine.ts";
import { join } from "node:path";

const machine = newMachine();

const nonBlocking = 0o4000;
const bytesWaiting = 0x541b;

/** A pipe of 64 KiB whose ends do not wait: its two ends, and how many bytes are in it. */
function nonBlockingPipe() {
  const { symbols } = dlopen("libc.so.6", {
    pipe2: { args: ["ptr", "i32"], returns: "i32" },
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
  });
  const ends = new Int32Array(2);
  expect(symbols.pipe2(ends, nonBlocking)).toBe(0);
  const [reading, writing] = [ends[0]!, ends[1]!];
  const count = new Int32Array(1);
  const waiting = () => (symbols.ioctl(reading, bytesWaiting, count), count[0]!);
  return { reading, writing, waiting };
}

/** Reads until the writers are gone. */
async function readAll(descriptor: number): Promise<string> {
  const buffer = new Uint8Array(4_096);
  const decoder = new TextDecoder();
  for (let text = ""; ;) {
    try {
      const length = readSync(descriptor, buffer);
      if (length === 0) return text;
      text += decoder.decode(buffer.subarray(0, length), { stream: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      await Bun.sleep(1);
    }
  }
}

const main = join(import.meta.dir, "../../../src/main.ts");

/** Starts a command whose output goes into a pipe, and closes this process's end of it. */
function runInto(writing: number, words: string) {
  // What a child is given as its stdout is made to wait, so the shell puts the pipe there.
  const command = `exec "${process.execPath}" "${main}" ${words} >&3`;
  const child = Bun.spawn(["sh", "-c", command], {
    env: machine.env,
    stdio: ["ignore", "inherit", "inherit", writing],
  });
  closeSync(writing);
  return child;
}

test.skipIf(process.platform !== "linux")(
  "a large output arrives once and whole through a pipe that is full and does not block",
  async () => {
    await machine.ok(["pair", "--board", "demo"]);
    const words = Array.from({ length: 3 }, (_, i) => `${i} `.repeat(16_000));
    for (const stdin of words) await machine.ok(["say", "--as", "member"], { stdin });
    const { reading, writing, waiting } = nonBlockingPipe();
    const child = runInto(writing, "read --json --as member");
    while (waiting() < 65_536) await Bun.sleep(1);
    const { messages } = JSON.parse(await readAll(reading));
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(words);
    expect(await child.exited).toBe(0);
  },
);

test.skipIf(process.platform !== "linux")(
  "a short output waits for room in a full pipe, and arrives once",
  async () => {
    const { stdout } = await machine.run(["version"]);
    expect(stdout.length).toBeLessThan(512);
    const { reading, writing, waiting } = nonBlockingPipe();
    // The last page of the pipe has no room for a byte more.
    const before = "x".repeat(65_536);
    expect(writeSync(writing, before)).toBe(65_536);
    const child = runInto(writing, "version");
    expect(await Promise.race([child.exited, Bun.sleep(500)])).toBeUndefined();
    expect(waiting()).toBe(65_536);
    expect(await readAll(reading)).toBe(before + stdout);
    expect(await child.exited).toBe(0);
  },
);
