import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { newHome, spawnServer } from "../support/servers/server-as-process.ts";
import { mountSmallDisk } from "../support/servers/small-disk.ts";
import { untilTrue } from "../support/wait-until.ts";

/** What the built program says of itself while its disk is slow, refuses, or is full: the kernel does that to it. */

/** What ends with the file. */
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** A server with its home in a folder, or in one of its own, and with all of its log. */
async function serveIn(home?: string) {
  const own = home === undefined ? newHome() : null;
  if (own) ends.push(own.remove);
  const { child, ready, kill } = await spawnServer(home ?? own!.home);
  ends.push(kill);
  const url = await ready();
  return {
    pid: child.pid,
    /** Status and word of a probe. */
    async probe(path: "/readyz" | "/healthz"): Promise<[number, string]> {
      const response = await fetch(url + path, { headers: { host: "10.0.0.7" } });
      return [response.status, await response.text()];
    },
    /** Stops it, and gives the lines of its log about whether it is ready. */
    async changes() {
      child.kill("SIGTERM");
      const text = await new Response(child.stderr).text();
      return text
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as { event?: string; reason?: string })
        .filter(({ event }) => event?.endsWith("ready"));
    },
  };
}

/** Does something to each call by which a process has the disk write what it wrote, until it is ended. */
async function injecting(pid: number, what: string) {
  const calls = "fsync,fdatasync";
  const words = ["-f", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", `inject=${calls}:${what}`];
  const strace = Bun.spawn(["strace", ...words, "-p", `${pid}`], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const end = async () => {
    strace.kill("SIGINT");
    await strace.exited;
  };
  ends.push(end);
  const tasks = `/proc/${pid}/task`;
  const isTraced = (task: string) =>
    Bun.file(join(tasks, task, "status"))
      .text()
      .then((text) => text.includes(`TracerPid:\t${strace.pid}\n`))
      .catch(() => false);
  await untilTrue(
    async () => (await Promise.all(readdirSync(tasks).map(isTraced))).every(Boolean),
    "every thread is traced",
  );
  return { end };
}

const isReady = (server: Awaited<ReturnType<typeof serveIn>>) =>
  untilTrue(async () => (await server.probe("/readyz"))[1] === "ready\n", "it is ready", 15_000);

test("a commit for which the disk took more than five seconds is named", async () => {
  const server = await serveIn();
  const slow = await injecting(server.pid, "delay_exit=5200000");
  const began = performance.now();
  expect(await server.probe("/readyz")).toEqual([503, "commit\n"]);
  expect(performance.now() - began).toBeGreaterThan(5_000);
  await slow.end();
  await isReady(server);
  expect(await server.changes()).toMatchObject([{ event: "not-ready", reason: "commit" }]);
}, 60_000);

test("a database that the disk refuses to write is named, and the process answers meanwhile", async () => {
  const server = await serveIn();
  const refusing = await injecting(server.pid, "error=EIO");
  expect(await server.probe("/readyz")).toEqual([503, "database\n"]);
  expect(await server.probe("/healthz")).toEqual([200, "ok\n"]);
  await refusing.end();
  await isReady(server);
}, 60_000);

test("a disk with less than 64 MiB is named", async () => {
  const disk = mountSmallDisk(100 * 1024 * 1024);
  const server = await serveIn(disk.path);
  expect(await server.probe("/readyz")).toEqual([200, "ready\n"]);
  disk.fill(63 * 1024 * 1024);
  await untilTrue(
    async () => (await server.probe("/readyz"))[1] === "disk\n",
    "it is named",
    15_000,
  );
  disk.makeRoom();
  await isReady(server);
  await server.changes();
}, 60_000);
