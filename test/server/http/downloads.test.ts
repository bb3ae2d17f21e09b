import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programFile, programTargets } from "../../../src/contract/programs.ts";
import { startListening } from "../../support/servers/server-on-port.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { untilTrue } from "../../support/wait-until.ts";

const isRoot = process.getuid?.() === 0;
/** Some other user of the machine. */
const somebody = 65_534;

/** Makes something unchangeable for the server: it belongs to somebody else, or is read-only where we cannot give it away. */
const protect = (path: string, mode: number) => {
  chmodSync(path, mode);
  if (isRoot) chownSync(path, somebody, somebody);
};
/** Takes that back, for a change from outside. */
const unprotect = (path: string) => {
  if (isRoot) chownSync(path, 0, 0);
  chmodSync(path, 0o755);
};

/** A folder with programs, which the server cannot change. */
function programs(given: Partial<Record<(typeof programTargets)[number], string>>): string {
  const folder = join(
    temporaryFolder(async () => unprotect(folder)),
    "programs",
  );
  mkdirSync(folder);
  for (const [target, bytes] of Object.entries(given)) {
    const path = join(folder, `service-${target}`);
    writeFileSync(path, bytes);
    protect(path, 0o555);
  }
  protect(folder, 0o555);
  return folder;
}
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const start = (downloads: string) => startListening({ downloads, logLevel: "warn" });

describe("programs for download", () => {
  test("are the files of the folder, byte for byte, without a credential", async () => {
    const { server } = await start(programs({ "linux-x64": "a program", "darwin-x64": "another" }));
    const answer = await fetch(`${server.url}/download/linux-x64`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": "9",
      "content-disposition": 'attachment; filename="service"',
      "x-content-type-options": "nosniff",
      etag: `"sha256:${sha256("a program")}"`,
    });
    expect(await answer.text()).toBe("a program");
    expect(await (await fetch(`${server.url}/download/darwin-x64`)).text()).toBe("another");
    const head = await fetch(`${server.url}/download/linux-x64`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "9"]);
    for (const path of [
      "linux-arm64",
      "../service-linux-x64",
      "service-linux-x64",
      "LINUX-X64",
      "",
    ]) {
      const refused = await fetch(`${server.url}/download/${encodeURIComponent(path)}`);
      expect([path, refused.status]).toEqual([path, 404]);
    }
  });

  test("are named on the pages by one line each, which fetches, checks and starts them", async () => {
    const { server } = await start(programs({ "linux-x64": "#!/bin/sh\necho started $1\n" }));
    for (const [page, words] of [
      ["/start", "help"],
      ["/start/invitation", "connect"],
    ] as const) {
      const text = await (await fetch(server.url + page)).text();
      const [, line = ""] = />(curl [^<]+)</.exec(text) ?? [];
      expect(line).toContain(sha256("#!/bin/sh\necho started $1\n"));
      const run = Bun.spawn(["sh", "-c", line.replaceAll("&amp;", "&")], {
        cwd: temporaryFolder(),
        stderr: "ignore",
      });
      expect(await new Response(run.stdout).text()).toEndWith(`started ${words}\n`);
      expect(await run.exited).toBe(0);
      expect(text).not.toContain("macOS");
    }
  });

  test("whose bytes are not those of the line are not started", async () => {
    const { server } = await start(programs({ "linux-x64": "#!/bin/sh\necho started\n" }));
    const text = await (await fetch(`${server.url}/start`)).text();
    const [, line = ""] = />(curl [^<]+)</.exec(text) ?? [];
    const forged = line.replaceAll("&amp;", "&").replace(/'[0-9a-f]{64} /, `'${sha256("x")} `);
    const run = Bun.spawn(["sh", "-c", forged], { cwd: temporaryFolder(), stderr: "ignore" });
    expect(await new Response(run.stdout).text()).not.toContain("started");
    expect(await run.exited).not.toBe(0);
  });

  test("are offered with the digest of what is there now", async () => {
    const folder = programs({ "linux-x64": "old" });
    const { server } = await start(folder);
    expect(await (await fetch(`${server.url}/start`)).text()).toContain(sha256("old"));
    const path = join(folder, programFile("linux-x64"));
    for (const one of [folder, path]) unprotect(one);
    rmSync(path);
    writeFileSync(path, "newer");
    protect(path, 0o555);
    protect(folder, 0o555);
    expect(await (await fetch(`${server.url}/start`)).text()).toContain(sha256("newer"));
    expect(await (await fetch(`${server.url}/download/linux-x64`)).text()).toBe("newer");
  });
});

describe("nothing is offered", () => {
  test("from a folder or a file that the server could change, and the log says why", async () => {
    const own = programs({ "linux-x64": "x" });
    unprotect(own);
    const mixed = programs({ "linux-x64": "x", "linux-arm64": "y" });
    unprotect(join(mixed, programFile("linux-x64")));
    const first = await start(own);
    for (let times = 0; times < 2; times++)
      expect((await fetch(`${first.server.url}/download/linux-x64`)).status).toBe(404);
    const lines = first.logged.map((line) => JSON.parse(line) as { event: string });
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "programs.offered", offered: [] }),
    );
    expect(lines.filter(({ event }) => event === "program.not-offered")).toEqual([
      expect.objectContaining({
        level: "warn",
        event: "program.not-offered",
        message: `${own} is not offered for download: this server could change it`,
      }),
    ]);
    expect(await (await fetch(`${first.server.url}/join`)).text()).not.toContain("curl");
    const second = await start(mixed);
    expect((await fetch(`${second.server.url}/download/linux-x64`)).status).toBe(404);
    expect((await fetch(`${second.server.url}/download/linux-arm64`)).status).toBe(200);
  });

  test("for a link, a folder, or a folder of programs that is not there", async () => {
    const folder = programs({});
    unprotect(folder);
    symlinkSync("/etc/passwd", join(folder, programFile("linux-x64")));
    mkdirSync(join(folder, programFile("linux-arm64")));
    protect(folder, 0o555);
    for (const downloads of [folder, join(folder, "nothing")]) {
      const { server } = await start(downloads);
      for (const target of programTargets)
        expect((await fetch(`${server.url}/download/${target}`)).status).toBe(404);
    }
  });

  test("by a server that has no such folder", async () => {
    const { server } = await startListening();
    expect((await fetch(`${server.url}/download/linux-x64`)).status).toBe(404);
    expect(await (await fetch(`${server.url}/start/invitation`)).text()).toContain(
      "whoever\ninvited you",
    );
  });
});

test("an address gets four at once, and the next when one of them has ended", async () => {
  const large = "x".repeat(32 * 1024 * 1024);
  const { server } = await start(programs({ "linux-x64": large }));
  const get = () => fetch(`${server.url}/download/linux-x64`);
  const open = await Promise.all(Array.from({ length: 4 }, get));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const refused = await get();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(((await refused.json()) as { error: { code: string } }).error.code).toBe("rate_limited");
  // A reader that goes away frees its place, and so does one that has read to the end.
  await open[0]!.body!.cancel();
  let latest = refused;
  const offered = async () => {
    latest = await get();
    return latest.ok;
  };
  await untilTrue(offered, "a place of the reader who left");
  const readers = [...open.slice(1), latest];
  const whole = await Promise.all(readers.map((answer) => answer.text()));
  expect(whole.map((text) => text.length)).toEqual(Array<number>(4).fill(large.length));
  await untilTrue(offered, "a place of a reader who has read everything");
  await latest.body!.cancel();
});
