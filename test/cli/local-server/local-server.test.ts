import { beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { newMachine, type Machine } from "../../support/commands/machine.ts";

let machine: Machine;
beforeEach(() => {
  machine = newMachine();
});

const dataFile = (name: string) => join(machine.home, "data", name);
const pid = () => Number(readFileSync(dataFile("server.pid"), "utf8"));
const main = join(import.meta.dir, "../../../src/main.ts");

/** A file of the configuration. */
function keep(name: string, content: object) {
  mkdirSync(join(machine.home, "config"), { recursive: true });
  writeFileSync(join(machine.home, "config", name), JSON.stringify(content));
}

/** Another program at the address of the machine's server. */
function stranger(answer: object | string) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(typeof answer === "string" ? answer : JSON.stringify(answer)),
  });
  mkdirSync(join(machine.home, "data"), { recursive: true });
  writeFileSync(dataFile("server.addr"), `127.0.0.1:${server.port}\n`);
  return server;
}

test("up starts it once, down stops it, and the next command starts it again", async () => {
  const { json, run } = machine.asProcess;
  expect(await json(["status"])).toMatchObject({ server_running: false });
  const up = await json(["up"]);
  expect(up).toMatchObject({ started: true, replaced: null, pid: pid() });
  expect(await json(["up"])).toMatchObject({ ...up, started: false });
  expect(await json(["status"])).toMatchObject({ server_running: true, server: up.server });
  expect(await json(["down"])).toMatchObject({ server_stopped: true, daemon_stopped: false });
  expect(await json(["down"])).toMatchObject({ server_stopped: false });
  const whoami = await run(["whoami"]);
  expect(whoami.stderr).toBe(`started local server at ${up.server.url}\n`);
  expect(whoami.stdout).toStartWith("@ada-l");
});

test("commands that come at once start one server between them", async () => {
  const ran = await Promise.all(
    ["boards", "people", "whoami", "keys"].map((word) => machine.asProcess.run([word])),
  );
  expect(ran.map(({ code, stderr }) => (code === 0 ? code : stderr))).toEqual([0, 0, 0, 0]);
  expect(ran.filter(({ stderr }) => stderr.startsWith("started local server"))).toHaveLength(1);
});

test.skipIf(process.platform !== "linux")(
  "a server that came second does not take over when the first is stopped",
  async () => {
    for (let round = 0; round < 3; round++) {
      await Promise.all(["boards", "people", "whoami"].map((word) => machine.asProcess.ok([word])));
      await machine.asProcess.ok(["down"]);
      const end = Date.now() + 2_000;
      while (serversHere() > 0 && Date.now() < end) await Bun.sleep(10);
      expect(serversHere()).toBe(0);
    }
  },
);

/** How many processes run in the data folder, as a server does that a command started. */
const serversHere = () =>
  readdirSync("/proc").filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === join(machine.home, "data");
    } catch {
      return false;
    }
  }).length;

test("agents and people that join at once all keep their seats", async () => {
  const { join: code } = await machine.asProcess.json(["pair"]);
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => machine.asProcess.ok(["join", code.line, "--name", name])));
  const seats = JSON.parse(readFileSync(join(machine.home, "config/credentials.json"), "utf8"));
  expect(seats.map(({ name }: { name: string }) => name).sort()).toEqual([...names, "member"]);
});

test("a server that was killed is started again, with what it had stored", async () => {
  await machine.asProcess.ok(["board", "new", "kept"]);
  process.kill(pid(), "SIGKILL");
  const { boards } = await machine.asProcess.json(["boards"]);
  expect(boards.map(({ name }: { name: string }) => name)).toEqual(["kept"]);
});

test("status names the board that a person's command takes when it is the only one", async () => {
  await machine.ok(["board", "new", "first"]);
  expect(await machine.json(["status"])).toMatchObject({ board: "first", board_source: "only" });
  await machine.ok(["board", "new", "second"]);
  expect(await machine.json(["status"])).toMatchObject({ board: null, board_source: "none" });
});

test("another program at the address is neither used nor stopped", async () => {
  const other = stranger("hello");
  try {
    expect(await machine.refusal(["up"])).toBe("server_not_running");
    expect(await machine.json(["status"])).toMatchObject({ server_running: false });
    expect(await machine.json(["down"])).toMatchObject({ server_stopped: false });
    expect((await fetch(other.url)).ok).toBe(true);
  } finally {
    await other.stop(true);
  }
});

test("an answer of another program that is JSON too leads to the server", async () => {
  const other = stranger({});
  const url = `http://127.0.0.1:${other.port}`;
  rmSync(dataFile("server.addr"));
  try {
    const saved = { url, server_id: "srv_1", handle: "ada", person_id: "hum_1" };
    keep("servers.json", {
      default: url,
      servers: [{ ...saved, key_id: "key_1", key_name: "k", key: `abh_${"x".repeat(43)}` }],
    });
    const ran = await machine.run(["boards"]);
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining(" status` names the server"),
    ]);
  } finally {
    await other.stop(true);
  }
});

test("up replaces a server of an older build", async () => {
  mkdirSync(join(machine.home, "data"), { recursive: true });
  const older = Bun.spawn({
    cmd: [
      process.execPath,
      "-e",
      `import { openSync, writeFileSync } from "node:fs";
       const info = { name: "service", version: "0.0.1", commit: "abc123", server_id: "srv_old" };
       const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(info) });
       openSync("data/service.db", "w");
       writeFileSync("data/server.addr", "127.0.0.1:" + server.port);
       writeFileSync("data/server.pid", String(process.pid));
       process.on("SIGTERM", () => process.exit(0));
       console.log("ready");`,
    ],
    cwd: machine.home,
    stdout: "pipe",
  });
  await older.stdout.getReader().read();
  const { stdout } = await machine.asProcess.ok(["up"]);
  expect(stdout).toContain(": replaced 0.0.1 (abc123) by ");
  expect(await older.exited).toBe(0);
  expect(pid()).not.toBe(older.pid);
});

test("serve runs in the foreground until it is told to stop", async () => {
  const server = Bun.spawn([process.execPath, main, "serve"], {
    cwd: machine.home,
    env: machine.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  const { value } = await server.stdout.getReader().read();
  const said = new TextDecoder().decode(value);
  expect(said).toContain(`Data: ${join(machine.home, "data")}`);
  expect(said).toContain(join(machine.home, "config/owner-token"));
  expect(said).toContain("pair");
  expect(await machine.asProcess.json(["up"])).toMatchObject({ started: false, pid: server.pid });
  const second = await machine.asProcess.run(["serve"]);
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringContaining("server_already_running"),
  ]);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(await machine.asProcess.json(["status"])).toMatchObject({ server_running: false });
});

test("a team's server makes its admin's key once, and refuses a shared folder", async () => {
  const data = join(machine.home, "team");
  const words = ["--public-url", "https://board.example.org", "--data", data];
  const start = () =>
    Bun.spawn([process.execPath, main, "serve", ...words, "--listen", "127.0.0.1:0"], {
      env: machine.env,
      stdout: "pipe",
      stderr: "pipe",
    });
  const server = start();
  const { value } = await server.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain("First person: admin");
  const key = readFileSync(join(data, "admin-key"), "utf8");
  expect(key).toMatch(/^abh_[\w-]{43}\n$/);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  Bun.spawnSync(["chmod", "750", data]);
  const shared = start();
  expect(await shared.exited).toBe(1);
  expect(await new Response(shared.stderr).text()).toContain(`chmod 700 ${data}`);
});

test("no server starts where every user could put another folder in the place of its own", async () => {
  const machine = newMachine();
  const parent = join(machine.home, "all");
  mkdirSync(parent);
  chmodSync(parent, 0o777);
  const serve = ["serve", "--public-url", "https://board.example.org"];
  const { code, stderr } = await machine.run([...serve, "--data", join(parent, "data")]);
  expect([code, existsSync(join(parent, "data"))]).toEqual([1, false]);
  expect(stderr).toContain("lies in a folder that every user can write to");
  expect(stderr).toContain(`chmod o-w ${parent}`);
});

test("serve reads its words strictly", async () => {
  for (const words of [
    ["--public-url", "http://board.example.org"],
    ["--public-url", "https://board.example.org/"],
    ["--public-url", "https://board.example.org", "--data", "relative"],
    ["--data", "/tmp/data"],
    ["--rate-scale", "many"],
    ["--json"],
  ])
    expect((await machine.run(["serve", ...words])).code, words.join(" ")).toBe(2);
});

test("no server starts where every user could exchange its keys and its database", async () => {
  for (const name of ["data", "config"]) {
    const machine = newMachine();
    const folder = join(machine.home, name);
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const { code, stderr } = await machine.run(["serve"]);
    expect(stderr).toContain(`${folder} can be written by every user`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`\`chmod 700 ${folder}\``)]);
    expect(readdirSync(folder).filter((one) => one !== "server.addr")).toEqual([]);
    chmodSync(folder, 0o750);
    await machine.ok(["up"]);
  }
});
