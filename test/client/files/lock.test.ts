import { beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LockHeld, withLock } from "../../../src/client/files/lock.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "keys.lock");
});

/** What the lock says while this process holds it. */
const heldText = () => withLock(path, () => readFileSync(path, "utf8"));
const age = (file = path) => utimesSync(file, 0, 0);
const taken = () => withLock(path, () => true, 0);

/** Why a lock is not given; fails when it is. */
function refused(): LockHeld {
  try {
    taken();
  } catch (error) {
    if (error instanceof LockHeld) return error;
    throw error;
  }
  throw new Error("the lock was given");
}

/** Ends while it holds the lock of a file. */
const dying = (file = path) =>
  `import { withLock } from ${JSON.stringify(join(import.meta.dir, "../../../src/client/files/lock.ts"))};
   withLock(${JSON.stringify(file)}, () => process.kill(process.pid, "SIGKILL"));`;
async function leave(file = path): Promise<void> {
  await Bun.spawn([process.execPath, "-e", dying(file)]).exited;
  expect(existsSync(file)).toBe(true);
}

test("a lock is let go of when the work has ended, also by an error", () => {
  expect(withLock(path, () => "done")).toBe("done");
  expect(() =>
    withLock(path, () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(readdirSync(folder)).toEqual([]);
});

test("the lock of a living process is given to nobody, however old it is, and its holder is named", () => {
  withLock(path, () => {
    age();
    expect(refused()).toMatchObject({ path, pid: process.pid });
  });
  expect(taken()).toBe(true);
});

test("the lock of a process that has ended is taken over at once", async () => {
  await leave();
  expect(taken()).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test("whoever died while taking over a lock is no hindrance either", async () => {
  await leave();
  const { id } = JSON.parse(readFileSync(path, "utf8"));
  await leave(`${path}.${id}`);
  expect(taken()).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test("a lock that is not one's own any more is not removed", () => {
  const other = heldText().replace(/[\da-f-]{36}/, crypto.randomUUID());
  withLock(path, () => writeFileSync(path, other));
  expect(readFileSync(path, "utf8")).toBe(other);
});

test.skipIf(process.platform !== "linux")(
  "a process that got the number of the holder later does not hold the lock",
  () => {
    const { started, ...rest } = JSON.parse(heldText());
    writeFileSync(path, JSON.stringify({ ...rest, started }));
    expect(refused().pid).toBe(process.pid);
    writeFileSync(path, JSON.stringify({ ...rest, started: `${Number(started) - 1}` }));
    expect(taken()).toBe(true);
  },
);

test.skipIf(process.platform !== "linux")(
  "a holder that was killed holds nothing, though its parent has not waited for it",
  async () => {
    // The shell becomes `cat`, which waits for no child: what was killed stays in the list of processes.
    const script = '"$0" -e "$1" & echo $!; exec cat';
    const parent = Bun.spawn(["sh", "-c", script, process.execPath, dying()], {
      stdin: "pipe",
      stdout: "pipe",
    });
    try {
      const { value } = await parent.stdout.getReader().read();
      const child = Number(new TextDecoder().decode(value));
      const isZombie = () => / Z /.test(readFileSync(`/proc/${child}/stat`, "utf8"));
      while (!isZombie()) await Bun.sleep(5);
      expect(JSON.parse(readFileSync(path, "utf8")).pid).toBe(child);
      expect(taken()).toBe(true);
    } finally {
      parent.kill();
      await parent.exited;
    }
  },
);

test("a lock that does not say whose it is, or is of another machine, is left alone until it is old", () => {
  const text = heldText();
  const { pid } = JSON.parse(text);
  for (const content of ["", "{", JSON.stringify({ ...JSON.parse(text), place: "elsewhere" })]) {
    writeFileSync(path, content);
    expect(refused().pid).toBe(content.includes("elsewhere") ? pid : null);
    age();
    expect(taken()).toBe(true);
  }
  expect(readdirSync(folder)).toEqual([]);
});
