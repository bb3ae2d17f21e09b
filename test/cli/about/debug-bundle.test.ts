import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";

test("a bundle has findings, versions, figures and logs, and nothing of what anybody wrote or is called", async () => {
  const machine = newMachine();
  const { world, url } = await clockedServer();
  await machine.ok(["login", url], { stdin: world.admin.token });
  await machine.ok(["pair", "--board", "harvest", "--name", "quill", "--server", url]);
  await machine.ok(["say", "The secret plan.", "--as", "quill"]);
  const log = join(machine.home, "state", "daemon.log");
  mkdirSync(dirname(log), { recursive: true });
  appendFileSync(log, `quill on harvest: ${world.admin.token} at ${url}\n`);
  const { path, files } = await machine.json(["debug-bundle", "-o", machine.home, "--server", url]);
  expect(files).toEqual(["about.json", "doctor.json", "numbers.json", "server.log", "daemon.log"]);
  expect(statSync(path).mode & 0o077).toBe(0);
  const text = readFileSync(path, "utf8");
  for (const told of ["The secret plan", "quill", "harvest", world.admin.token, new URL(url).host])
    expect([told, text.includes(told)]).toEqual([told, false]);
  expect(text).toContain("agent-1 on board-1: abh_… at http://server-1");
  expect(text).toContain('"name": "posts_total"');
  expect(text).toContain('"local_server"');
  const listed = Bun.spawnSync(["tar", "-tf", path]).stdout.toString().trim().split("\n");
  expect(listed).toEqual(files);
  expect((await machine.run(["debug-bundle", "-o", machine.home])).code).toBe(2);
  await machine.ok(["debug-bundle", "-o", machine.home, "--force", "--server", url]);
});

test("without a server that answers, the bundle says why there are no figures", async () => {
  const machine = newMachine();
  const { path } = await machine.json(["debug-bundle", "-o", machine.home]);
  const text = readFileSync(path, "utf8");
  expect(text).toContain('"code": "login_required"');
  expect(text).not.toContain("posts_total");
  expect(await machine.refusal(["debug-bundle", "--force"], { env: { CLAUDECODE: "1" } })).toBe(
    "human_command_in_session",
  );
});

test.each([
  ["seats", "config/credentials.json"],
  ["key", "config/owner-token"],
  ["servers", "config/servers.json"],
])(
  "a machine whose file of %s is damaged gets its bundle, without the logs whose names nobody knows",
  async (_what, file) => {
    const machine = newMachine();
    await machine.ok(["pair", "--board", "harvest", "--name", "quill"]);
    await machine.ok(["down"]);
    const log = join(machine.home, "state", "daemon.log");
    mkdirSync(dirname(log), { recursive: true });
    appendFileSync(log, "quill on harvest\n");
    writeFileSync(join(machine.home, file), "{{{");
    const { path, files } = await machine.json(["debug-bundle", "-o", machine.home]);
    expect(files).toHaveLength(5);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(`${file} is damaged: its content is not valid.`);
    expect(text).toContain("Left out: the names that must not be in it are not known.");
    expect(text).toContain('"platform"');
    for (const name of ["quill", "harvest"])
      expect([name, text.includes(name)]).toEqual([name, false]);
  },
);

test("a log that cannot be read is said in its place, and the other parts are there", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "harvest", "--name", "quill"]);
  await machine.ok(["down"]);
  const log = join(machine.home, "data", "server.log");
  rmSync(log, { force: true });
  mkdirSync(log);
  const { path } = await machine.json(["debug-bundle", "-o", machine.home]);
  const text = readFileSync(path, "utf8");
  expect(text).toContain("server.log cannot be read (EISDIR).");
  expect(text).toContain('"local_server"');
});

test("who else is named in a server's log, and a server that this machine has no key for, are hidden too", async () => {
  const machine = newMachine();
  const log = join(machine.home, "data", "server.log");
  mkdirSync(dirname(log), { recursive: true });
  appendFileSync(
    log,
    '{"event":"request","by":"hum_1","by_handle":"gus","operation":"getMe"}\ninfo request by_handle=hal ms=3\n',
  );
  for (const server of [
    "https://plums.example.net",
    "plums.example.net:8443",
    "https://ada:hunter2@plums.example.net",
  ]) {
    const words = ["debug-bundle", "-o", machine.home, "--force", "--server", server];
    const { path } = await machine.json(words);
    const text = readFileSync(path, "utf8");
    // The first is who is logged in on this machine.
    expect(text).toContain('"by_handle":"person-2"');
    expect(text).toContain("by_handle=person-3 ms=3");
    expect(text).toMatch(
      /no key for https:\/\/server-\d\.|"(https:\/\/)?server-\d is not the address/,
    );
    for (const name of ["gus", "hal", "plums", "hunter2"])
      expect([name, text.includes(name)]).toEqual([name, false]);
  }
});

test("agents, boards and servers that this machine has left are hidden in the daemon's log", async () => {
  const machine = newMachine();
  const log = join(machine.home, "state", "daemon.log");
  mkdirSync(dirname(log), { recursive: true });
  const lines = [
    "quill on harvest: https://plums.example.net:8443 does not answer",
    "acknowledging for quill on harvest: agent_removed",
    "queue of quill: codex went away",
    "presence of sow: Unreachable: https://ada:hunter2@plums.example.net does not answer",
    "looking after sessions: Error: EACCES",
    "claude-code:0f0e: http://127.0.0.1:7411 does not answer",
  ];
  appendFileSync(log, `${lines.join("\n")}\n`);
  const { path } = await machine.json(["debug-bundle", "-o", machine.home]);
  const text = readFileSync(path, "utf8");
  const shown = text.slice(text.indexOf("agent-1 on"));
  expect(shown.slice(0, shown.indexOf("\0")).trim().split("\n")).toEqual([
    "agent-1 on board-1: https://server-1 does not answer",
    "acknowledging for agent-1 on board-1: agent_removed",
    "queue of agent-1: codex went away",
    "presence of agent-2: Unreachable: https://server-2 does not answer",
    "looking after sessions: Error: EACCES",
    "claude-code:0f0e: http://127.0.0.1:7411 does not answer",
  ]);
});

test("a bundle is a file", async () => {
  const machine = newMachine();
  const { code, stderr } = await machine.run(["debug-bundle", "-o", "-"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("`-o FILE`")]);
});
