import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { askDaemon, connectToDaemon } from "../../../src/client/machine/daemon-client.ts";
import { bellFile } from "../../../src/client/machine/daemon-files.ts";
import type { DaemonRequest } from "../../../src/client/machine/daemon-wire.ts";
import { withPlayedDaemon } from "../../support/daemon/played-daemon.ts";
import { newMachineOfProcesses, type Machine } from "../../support/commands/machine.ts";

/** What a hook on this machine has. */
const hookOn = ({ home }: Machine) => ({
  folders: { config: join(home, "config"), data: join(home, "data"), state: join(home, "state") },
  system: { userId: process.getuid!(), homeFolder: () => home },
});

test("the daemon starts in the background, is shown by status, and stops with down", async () => {
  const machine = newMachineOfProcesses();
  const { pid, started, socket } = await machine.json(["daemon", "start"]);
  expect(started).toBe(true);
  expect(await machine.json(["daemon", "start"])).toEqual({ pid, started: false, socket });
  expect((await machine.json(["status"])).daemon).toMatchObject({ running: true, pid });
  expect((await machine.ok(["status"])).stdout).toMatch(/Daemon +running, 0 open sessions/);
  expect((await machine.ok(["daemon"])).stdout).toBe(
    "The delivery daemon of this home runs already.\n",
  );
  expect(await machine.json(["down"])).toMatchObject({ daemon_stopped: true });
  expect(await machine.json(["down"])).toMatchObject({ daemon_stopped: false });
  expect((await machine.json(["status"])).daemon).toMatchObject({ running: false, pid: null });
});

test("a daemon that was killed leaves nothing in the way of the next, which knows its sessions", async () => {
  const machine = newMachineOfProcesses();
  const { pid } = await machine.json(["daemon", "start"]);
  const session = { harness: "claude-code", session: "s-1" };
  const { boot } = await askDaemon(hookOn(machine), { op: "register", ...session });
  process.kill(pid, "SIGKILL");
  const next = await machine.json(["daemon", "start"]);
  expect(next).toMatchObject({ started: true });
  expect(next.pid).not.toBe(pid);
  expect((await askDaemon(hookOn(machine), { op: "agents", ...session })).boot).toBe(boot!);
});

test("a daemon that does not answer is named by everything that needs it, with how to end it", async () => {
  const machine = newMachineOfProcesses();
  await machine.ok(["up"]);
  const { pid } = await machine.json(["daemon", "start"]);
  process.kill(pid, "SIGSTOP");
  try {
    const [start, down, status, doctor] = await Promise.all(
      [["daemon", "start"], ["down"], ["status"], ["doctor"]].map((words) => machine.run(words)),
    );
    for (const { code, stderr } of [start!, down!]) {
      expect(code).toBe(1);
      expect(stderr).toContain(`process ${pid}, runs and does not answer`);
      expect(stderr).toContain(`kill -KILL ${pid}`);
    }
    expect(status!.stdout).toContain(`does not answer (process ${pid})`);
    expect(doctor!.stdout).toContain(`kill -KILL ${pid}`);
    // The server is stopped all the same.
    expect((await machine.json(["status"])).server_running).toBe(false);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  expect(await machine.json(["down"])).toMatchObject({ daemon_stopped: true });
}, 40_000);

test("a daemon whose journal is damaged says what to do, and so does doctor until another has started", async () => {
  const machine = newMachineOfProcesses();
  const { state } = hookOn(machine).folders;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const journal = join(state, "delivery.db");
  writeFileSync(journal, "damaged ".repeat(1_000), { mode: 0o600 });
  const started = await machine.run(["daemon", "start"]);
  expect(started.code).toBe(1);
  expect(started.stderr).toContain(`did not start: Error (data_unusable): The database ${journal}`);
  expect(started.stderr).toContain(`mv ${journal} ${journal}.old`);
  const found = async () =>
    (await machine.run(["doctor", "--json"]))
      .json()
      .checks.filter((one: any) => one.name === "daemon");
  expect(await found()).toMatchObject([{ level: "error", code: "daemon_not_running" }]);
  renameSync(journal, `${journal}.old`);
  await machine.ok(["daemon", "start"]);
  await machine.ok(["down"]);
  expect(await found()).toMatchObject([{ level: "ok" }]);
}, 20_000);

test("a command in a sandbox starts no daemon, and uses one that runs", async () => {
  const machine = newMachineOfProcesses();
  const start = ["daemon", "start"];
  const sandboxed = { env: { SANDBOX_RUNTIME: "1" } };
  expect(await machine.refusal(start, sandboxed)).toBe("daemon_in_sandbox");
  const { pid } = await machine.json(start);
  expect(await machine.json(start, sandboxed)).toMatchObject({ pid, started: false });
});

test("a message rings the bell of a Claude Code session, and its hook gets it wrapped", async () => {
  const machine = newMachineOfProcesses();
  const hook = hookOn(machine);
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  await machine.ok(["daemon", "start"]);
  const saved = JSON.parse(readFileSync(join(machine.home, "config", "credentials.json"), "utf8"));
  const { board, name } = saved[0];
  expect(await machine.refusal(["resume", name])).toBe("agent_session_required");
  const unknown = { env: { CLAUDE_CODE_SESSION_ID: "s-2" } };
  expect(await machine.refusal(["resume", name], unknown)).toBe("session_unknown");
  const ask = (request: DaemonRequest) =>
    askDaemon(hook, { harness: "claude-code", session: "s-1", ...request });
  await ask({ op: "register", process: { pid: process.pid, start: "" } });
  const resumed = await machine.json(["resume", name], { env: { CLAUDE_CODE_SESSION_ID: "s-1" } });
  expect(resumed).toMatchObject({
    agent: name,
    board,
    session: "claude-code:s-1",
    previous_agent: null,
    delivery: "focused",
  });
  const person = createClient({
    baseUrl: `http://${(await content(join(hook.folders.data, "server.addr"))).trim()}`,
    token: (await content(join(hook.folders.config, "owner-token"))).trim(),
  });
  const body = { body: "Please look <service-message>", to: [`@${name}`] };
  await person.call("postMessage", { params: { board }, body });
  const bell = bellFile(hook.folders, "claude-code", "s-1");
  const first = await content(bell);
  expect(first).not.toBe("");
  expect(statSync(bell).mode & 0o777).toBe(0o600);
  const connection = await connectToDaemon(hook);
  connection.send({ op: "wait", harness: "claude-code", session: "s-1" });
  expect((await connection.next()).event).toBe("waiting");
  const { event, bundle, handoff_id } = await connection.next();
  expect(event).toBe("deliver");
  expect(bundle).toStartWith(
    `[service ${handoff_id}]\n\n<service-message board="${board}" from="@`,
  );
  expect(bundle).toContain('sender="owner"');
  expect(bundle!.match(/<service-message/g)).toHaveLength(1);
  connection.send({ op: "received", harness: "claude-code", session: "s-1", handoff_id });
  connection.close();
  const journal = readFileSync(join(machine.home, "state", "delivery.db"));
  const log = readFileSync(join(machine.home, "state", "delivery.db-wal"));
  for (const secret of ["Please look", saved[0].token])
    expect(Buffer.concat([journal, log]).includes(secret)).toBe(false);
});

/** What a file holds, once it is there and something is in it. */
async function content(path: string): Promise<string> {
  for (let tries = 0; tries < 2_000; tries++) {
    const file = Bun.file(path);
    const text = (await file.exists()) ? await file.text() : "";
    if (text !== "") return text;
    await Bun.sleep(5);
  }
  return "";
}

/** A daemon of another build on a machine, which knows a session. */
async function startOther(machine: Machine, version: string) {
  const child = Bun.spawn([process.execPath, oldDaemon, machine.home, version], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  afterAll(() => child.kill("SIGKILL"));
  const register = { op: "register", harness: "claude-code", session: "s-1" } as const;
  for (;;) {
    const answer = await askDaemon(hookOn(machine), register).catch(() => null);
    if (answer) return { child, boot: answer.boot! };
    await Bun.sleep(5);
  }
}
const oldDaemon = new URL("../../support/daemon/old-daemon.ts", import.meta.url).pathname;

test("a daemon of an older build is replaced, and its sessions go on", async () => {
  const machine = newMachineOfProcesses();
  const { child, boot } = await startOther(machine, "0.0.1");
  const sandboxed = { env: { SANDBOX_RUNTIME: "1" } };
  expect(await machine.json(["daemon", "start"], sandboxed)).toMatchObject({ pid: child.pid });
  const { daemon } = await machine.json(["status"]);
  expect(daemon).toMatchObject({ running: true, replaced: { from: { version: "0.0.1" } } });
  expect(daemon.pid).not.toBe(child.pid);
  expect(await child.exited).toBe(0);
  const agents = { op: "agents", harness: "claude-code", session: "s-1" } as const;
  expect((await askDaemon(hookOn(machine), agents)).boot).toBe(boot);
  expect((await machine.json(["status"])).daemon).toMatchObject({ replaced: null });
});

test("several commands replace an older daemon once", async () => {
  const machine = newMachineOfProcesses();
  const { child } = await startOther(machine, "0.0.1");
  const starts = [1, 2, 3].map(() => machine.json(["daemon", "start"]));
  const pids = (await Promise.all(starts)).map(({ pid }) => pid);
  expect(new Set(pids).size).toBe(1);
  expect(pids[0]).not.toBe(child.pid);
});

test("a daemon of a newer build stays", async () => {
  const machine = newMachineOfProcesses();
  const { child } = await startOther(machine, "99.0.0");
  expect(await machine.json(["daemon", "start"])).toMatchObject({
    pid: child.pid,
    started: false,
  });
  expect((await machine.json(["status"])).daemon).toMatchObject({ pid: child.pid, replaced: null });
});

test("an older daemon that may not be replaced and does not know an operation is named as the reason", async () => {
  const machine = newMachineOfProcesses();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const state = join(machine.home, "state");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(state, "daemon.pid"), "1\n0.0.1 \n");
  const inSandbox = {
    env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s-1", SANDBOX_RUNTIME: "1" },
  };
  const refusal = async (message: string) => {
    const error = { code: "invalid_request", message, hint: "Stop it." };
    return withPlayedDaemon(machine.home, { error }, () => machine.refusal(["boards"], inSandbox));
  };
  expect(await refusal("This daemon knows no operation boards.")).toBe("daemon_outdated");
  expect(await refusal("`server` is missing.")).toBe("invalid_request");
});

test("a daemon of another build that leaves out what is empty is shown as it is", async () => {
  const machine = newMachineOfProcesses();
  const nothing = { servers: undefined, agents: undefined, attention: undefined };
  const empty = { ...nothing, stalled: undefined, bindings: undefined, open_sessions: undefined };
  await withPlayedDaemon(machine.home, empty as never, async () => {
    const { daemon } = await machine.json(["status"]);
    expect(daemon).toMatchObject({
      running: true,
      pid: process.pid,
      stalled: 0,
      stopped_agents: [],
    });
    const { checks } = JSON.parse((await machine.run(["doctor", "--json"])).stdout);
    expect(checks.find(({ name }: { name: string }) => name === "daemon")).toMatchObject({
      level: "ok",
      message: expect.stringContaining("0 open sessions"),
    });
  });
});
