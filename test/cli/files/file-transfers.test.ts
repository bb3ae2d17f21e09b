import { afterEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { atScreen } from "../../support/commands/terminal-screen.ts";

const main = resolve(import.meta.dir, "../../../src/main.ts");
const machine = newMachine();
const { home, json, ok, run } = machine;
const rex = ["--as", "rex"];
const size = 8 * 1024 * 1024;
const at = (path: string) => join(home, path);
const parts = () => readdirSync(home).filter((name) => name.endsWith(".part"));
/** Resolves when a download begins to be written. */
const partMade = () =>
  new Promise<void>((resolve) => {
    const watcher = watch(home, (_, name) => {
      if (!name?.endsWith(".part")) return;
      watcher.close();
      resolve();
    });
  });
const server = await clockedServer();

await ok(["login", server.url], { stdin: server.world.admin.token });
await ok(["pair", "--board", "plans", "--name", "rex", "--server", server.url]);
const writer = await server.world.seat(server.world.admin, "plans", { name: "writer" });
const bytes = new Blob([new Uint8Array(size).fill(7)]);
await writer.upload({ params: { board: "plans" }, query: { name: "large.bin" } }, bytes);
afterEach(() => {
  server.between = (_, answer) => answer();
});

const isDownload = (request: Request) => new URL(request.url).pathname.includes("/versions/");

/** Lets downloads come in two halves: the second once it is released, or not at all once it is broken. `asked` is when so many came. */
function inHalves(downloads = 1) {
  let missing = downloads;
  const rest = Promise.withResolvers<"release" | "break">();
  const asked = Promise.withResolvers<void>();
  server.between = async (request, answer) => {
    const whole = await answer();
    if (!isDownload(request)) return whole;
    const bytes = await whole.bytes();
    if (--missing === 0) asked.resolve();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(bytes.slice(0, bytes.length / 2));
        if ((await rest.promise) === "release") controller.enqueue(bytes.slice(bytes.length / 2));
        controller.close();
      },
    });
    return new Response(body, { headers: whole.headers });
  };
  return {
    asked: asked.promise,
    release: () => rest.resolve("release"),
    break: () => rest.resolve("break"),
  };
}

test("a person at a terminal sees how far a transfer is, and the line is gone at the end", async () => {
  const halves = inHalves();
  const screen = atScreen(machine, ["file", "get", "large.bin", "seen.bin", ...rex]);
  await screen.showing("Fetching large.bin", " 50%  4.2 MB of 8.4 MB");
  halves.release();
  const { code, screen: shown } = await screen.end();
  expect(code).toBe(0);
  expect(shown).toMatch(
    /\r\x1b\[KFetched large\.bin version 1 on plans to seen\.bin · 8\.4 MB\r\n/,
  );
  expect(statSync(at("seen.bin")).size).toBe(size);
});

test("no progress is shown with JSON, in a session, at a dumb terminal or without a terminal", async () => {
  const cases = [
    { words: ["--json"], more: {} },
    { words: [], more: { CLAUDECODE: "1" } },
    { words: [], more: { TERM: "dumb" } },
    { words: [], more: { ACCESSIBLE: "1" } },
  ];
  const halves = inHalves(cases.length);
  const screens = cases.map(({ words, more }, i) =>
    atScreen(machine, ["file", "get", "large.bin", `quiet${i}.bin`, ...rex, ...words], more),
  );
  await halves.asked;
  // One that began later is shown by now, so these had their time.
  const seen = atScreen(machine, ["file", "get", "large.bin", "seen-later.bin", ...rex]);
  await seen.showing("Fetching large.bin");
  halves.release();
  await seen.end();
  for (const screen of screens) {
    const { code, screen: shown } = await screen.end();
    expect([code, shown.includes("Fetching")]).toEqual([0, false]);
  }
  const { stderr } = await ok(["file", "get", "large.bin", "piped.bin", ...rex]);
  expect(stderr).toBe("");
});

test("a download that breaks off leaves what was there, and nothing half", async () => {
  const halves = inHalves();
  const getting = run(["file", "get", "large.bin", "broken.bin", ...rex, "--json"]);
  await halves.asked;
  halves.break();
  const { code, json: answer } = await getting;
  expect([code, answer().error.code]).toEqual([1, "server_unreachable"]);
  expect(answer().error.hint).toContain("`service file get large.bin --as rex`");
  expect([existsSync(at("broken.bin")), parts()]).toEqual([false, []]);
});

test("a download of other bytes than the server has is not kept", async () => {
  writeFileSync(at("kept.bin"), "kept");
  server.between = async (request, answer) => {
    const whole = await answer();
    if (!isDownload(request)) return whole;
    const bytes = await whole.bytes();
    bytes[100] = 8;
    return new Response(bytes, { headers: whole.headers });
  };
  const { code, stdout } = await run([
    "file",
    "get",
    "large.bin",
    "kept.bin",
    "--force",
    ...rex,
    "--json",
  ]);
  expect([code, JSON.parse(stdout).error.code]).toEqual([1, "server_unreachable"]);
  expect([readFileSync(at("kept.bin"), "utf8"), parts()]).toEqual(["kept", []]);
});

test("a server does not choose where on this machine a file goes", async () => {
  const outside = join(home, "..", "outside.bin");
  for (const name of ["../outside.bin", outside, "a/../../outside.bin", ".profile"]) {
    server.between = async (request, answer) => {
      const given = await answer();
      if (!request.url.endsWith("/files/large.bin")) return given;
      return Response.json({ ...((await given.json()) as object), name });
    };
    for (const path of [[], ["."]]) {
      const get = ["file", "get", "large.bin", ...path, ...rex, "--json"];
      const { code, json: answer } = await run(get);
      expect([name, code, answer().error?.code]).toEqual([name, 1, "server_unreachable"]);
      expect(answer().error.message).toEndWith(`a name that no board takes: ${name}.`);
    }
  }
  expect([existsSync(outside), existsSync(at(".profile")), parts()]).toEqual([false, false, []]);
});

test("a download that is interrupted leaves nothing half", async () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    const halves = inHalves();
    const begun = partMade();
    const getting = machine.asProcess.start(["file", "get", "large.bin", "stopped.bin", ...rex]);
    await begun;
    getting.kill(signal);
    expect((await getting.end()).code).toBe(code);
    expect([existsSync(at("stopped.bin")), parts()]).toEqual([false, []]);
    halves.release();
  }
});

test("what was changed here while it came is not written over", async () => {
  const halves = inHalves();
  const getting = run(["file", "get", "large.bin", "raced.bin", ...rex, "--json"]);
  await halves.asked;
  writeFileSync(at("raced.bin"), "mine");
  halves.release();
  const { code, json: answer } = await getting;
  expect([code, answer().error.code]).toEqual([1, "local_file_changed"]);
  expect([readFileSync(at("raced.bin"), "utf8"), parts()]).toEqual(["mine", []]);
});

test("an upload shows its progress as well", async () => {
  writeFileSync(at("up.bin"), Buffer.alloc(size, 3));
  const rest = Promise.withResolvers<void>();
  server.between = async (request, answer) => {
    if (request.method !== "POST") return answer();
    await rest.promise;
    return answer();
  };
  const screen = atScreen(machine, ["file", "put", "up.bin", ...rex]);
  await screen.showing("Sending up.bin", "8.4 MB");
  rest.resolve();
  expect((await screen.end()).screen).toContain("Made up.bin version 1 on plans · 8.4 MB");
});

test("more than a file may have is refused", async () => {
  writeFileSync(at("huge.bin"), Buffer.alloc(50 * 1024 * 1024 + 1));
  const { code, json: answer } = await run(["file", "put", "huge.bin", ...rex, "--json"]);
  expect([code, answer().error.code]).toEqual([1, "file_too_large"]);
  expect(answer().error.hint).toContain("`service file put huge.bin --as rex`");
  const piped = ["file", "put", "-", "--name", "huge.bin", ...rex, "--json"];
  const stdin = readFileSync(at("huge.bin"), "latin1");
  const refused = await run(piped, { stdin });
  expect([refused.code, refused.json().error.code]).toEqual([1, "file_too_large"]);
});

test("a server without files is named as too old", async () => {
  server.between = async (request, answer) => {
    const given = await answer();
    if (!request.url.endsWith("/v1/info")) return given;
    const info = (await given.json()) as { features: string[] };
    return Response.json({ ...info, features: ["tasks"] });
  };
  for (const words of [["file", "list"], ["brief"], ["say", "x", "--attach", "kept.bin"]]) {
    const { code, json: answer } = await run([...words, ...rex, "--json"]);
    expect([code, answer().error.code]).toEqual([1, "server_outdated"]);
  }
  const { ref } = await writer.call("createTask", {
    params: { board: "plans" },
    body: { title: "Write it" },
  });
  expect((await json(["task", "show", ref, ...rex])).files).toEqual([]);
});

test("a file that is shown at a terminal does not command it", async () => {
  const bytes = new Blob(["\x1b]0;title\x07Plain \x1b[31mwords\x1b[0m\n"]);
  await writer.upload({ params: { board: "plans" }, query: { name: "sly.txt" } }, bytes);
  const { code, screen } = await atScreen(machine, ["file", "get", "sly.txt", "-", ...rex]).end();
  expect([code, screen]).toEqual([0, "Plain words\r\n"]);
});

test("what is piped in is kept nowhere when it is interrupted", async () => {
  const folder = at("temporary");
  mkdirSync(folder);
  const words = ["file", "put", "-", "--name", "piped.txt", ...rex];
  const kept = new Promise<void>((resolve) => {
    const watcher = watch(folder, () => (watcher.close(), resolve()));
  });
  const child = Bun.spawn([process.execPath, main, ...words], {
    cwd: home,
    env: { ...machine.env, TMPDIR: folder },
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  child.stdin.write("a part");
  await child.stdin.flush();
  await kept;
  child.kill("SIGINT");
  expect([await child.exited, readdirSync(folder)]).toEqual([130, []]);
});
