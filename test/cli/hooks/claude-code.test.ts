import { afterEach, expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askDaemon } from "../../../src/client/machine/daemon-client.ts";
import { daemonPid, daemonSocket } from "../../../src/client/machine/daemon-files.ts";
import { handoffIn } from "../../../src/client/machine/daemon-wire.ts";
import {
  newMachine,
  newMachineOfProcesses,
  type Machine,
  type Ran,
} from "../../support/commands/machine.ts";
import { until } from "../../support/wait-until.ts";
import { watchOpenings } from "../../support/commands/opened-files.ts";
import { hookOn } from "../../support/daemon/session-on-machine.ts";
import { contextOf, playClaudeCode } from "../../support/commands/played-session.ts";

const connects = spyOn(Bun, "connect");
afterEach(() => void connects.mockClear());

/** A machine whose daemon is a process of its own, which is what it takes to stop it. */
async function machineWithDaemon(): Promise<Machine> {
  const machine = newMachine();
  await machine.asProcess.ok(["daemon", "start"]);
  return machine;
}

/** A machine with a board, and a session of its agent that Claude Code has started. */
async function startedSession(machine: Machine) {
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const [seat] = JSON.parse(readFileSync(join(machine.home, "config", "credentials.json"), "utf8"));
  const played = playClaudeCode(machine);
  await played.hook("SessionStart", { source: "startup" });
  await machine.ok(["resume", seat.name], { env: played.env });
  const position = () => played.positionOf(seat.token);
  return { ...played, board: seat.board, name: seat.name, position };
}

test("a session that starts is told to watch its bell, and its commands learn their session", async () => {
  const machine = await machineWithDaemon();
  const { hook, bell } = playClaudeCode(machine, "o'neil");
  const CLAUDE_ENV_FILE = join(machine.home, "env.sh");
  writeFileSync(CLAUDE_ENV_FILE, "export OTHER=1\n");
  const begun = await hook("SessionStart", { source: "startup" }, { CLAUDE_ENV_FILE });
  expect({ ...begun, json: begun.json().hookSpecificOutput }).toMatchObject({
    code: 0,
    stderr: "",
    json: { hookEventName: "SessionStart", watchPaths: [bell] },
  });
  expect(statSync(bell).mode & 0o777).toBe(0o600);
  const told = await sourced(CLAUDE_ENV_FILE);
  expect(told.SERVICE_SESSION).toBe("claude-code:o'neil");
  // The commands of the session ask the same daemon as its hooks.
  expect(told.SERVICE_HOME).toBe(machine.home);
  await hook("SessionStart", { source: "compact" }, { CLAUDE_ENV_FILE });
  expect(await sourced(CLAUDE_ENV_FILE)).toEqual(told);
  const outer = { CODEX_THREAD_ID: "t", CODEX_SESSION_ID: "t" };
  await hook("SessionStart", { source: "resume" }, { CLAUDE_ENV_FILE, ...outer });
  const again = await sourced(CLAUDE_ENV_FILE, outer);
  expect(again.SERVICE_BOOT).not.toBe(told.SERVICE_BOOT);
  expect(again).toEqual({ ...told, SERVICE_BOOT: again.SERVICE_BOOT });
  const moved = await hook("CwdChanged");
  expect(moved.json()).toEqual({
    hookSpecificOutput: { hookEventName: "CwdChanged", watchPaths: [bell] },
  });
});

/** What a shell has of ours after it ran a file. */
async function sourced(file: string, env: Record<string, string> = {}) {
  const child = Bun.spawn(["sh", "-c", '. "$1"; env', "sh", file], { env, stdout: "pipe" });
  const lines = (await new Response(child.stdout).text())
    .split("\n")
    .map((line) => line.split("="));
  return Object.fromEntries(lines.filter(([name]) => /^(SERVICE|CODEX|OTHER)/.test(name!)));
}

test("a rung session is woken with the message, and the position moves only after its turn", async () => {
  const machine = await machineWithDaemon();
  const { hook, bell, post, board, name, position } = await startedSession(machine);
  const { seq } = await post(board, { body: "Please look.", to: [`@${name}`] });
  const ring = { file_path: bell, prompt_id: "before" };
  const woken = await saying(() => hook("FileChanged", ring), "stderr");
  expect(woken).toMatchObject({ code: 2, stdout: "" });
  expect(woken.stderr).toContain("Please look.");
  const prompt = `<task-notification>${woken.stderr}</task-notification>`;
  expect(await hook("UserPromptSubmit", { prompt_id: "p1", prompt })).toMatchObject({ stdout: "" });
  expect(await position()).toBeLessThan(seq);
  expect(await hook("Stop", { prompt_id: "p1" })).toMatchObject({ code: 0, stdout: "" });
  await movedTo(position, seq);
});

/** Waits until the server has moved the read position. */
async function movedTo(position: () => Promise<number>, seq: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await position()) >= seq) return;
    await Bun.sleep(5);
  }
  throw new Error(`the position is ${await position()}, and not ${seq}`);
}

test("a turn gets the owner's words after a batch of tools, and the rest at its end", async () => {
  const machine = await machineWithDaemon();
  const { hook, post, board, name, position } = await startedSession(machine);
  await hook("UserPromptSubmit", { prompt_id: "p1", prompt: "Work." });
  const { seq } = await post(board, { body: "Stop that.", to: [`@${name}`] });
  const batch = () => hook("PostToolBatch", { prompt_id: "p1" });
  const added = contextOf(await saying(batch), "PostToolBatch");
  expect(handoffIn(added)).not.toBeNull();
  expect(added).toContain("Stop that.");
  expect((await batch()).stdout).toBe("");
  expect(await position()).toBeLessThan(seq);
  await hook("PreToolUse", { prompt_id: "p1", tool_name: "Bash" });
  await movedTo(position, seq);
  const failed = await hook("StopFailure", { prompt_id: "p1" });
  expect(failed).toMatchObject({ code: 0, stdout: "", stderr: "" });
  await hook("UserPromptSubmit", { prompt_id: "p2", prompt: "Go on." });
  await post(board, { body: "And this.", to: [`@${name}`] });
  const ended = contextOf(await saying(() => hook("Stop", { prompt_id: "p2" })), "Stop");
  expect(ended).toContain("And this.");
  expect(await hook("SessionEnd", { reason: "other" })).toMatchObject({ stdout: "", stderr: "" });
  expect((await machine.json(["status"])).daemon.open_sessions).toBe(0);
});

/** Runs a hook until it says something: a message reaches the daemon some time after the server has it. */
async function saying(hook: () => Promise<Ran>, on: "stdout" | "stderr" = "stdout") {
  for (let tries = 0; tries < 200; tries++) {
    const ran = await hook();
    if (ran[on] !== "") return ran;
  }
  throw new Error("the hook says nothing");
}

test("a ring that is not ours, and one of a busy session, bring nothing but the bell's path", async () => {
  const machine = await machineWithDaemon();
  const { hook, bell } = await startedSession(machine);
  const watched = { hookSpecificOutput: { hookEventName: "FileChanged", watchPaths: [bell] } };
  const others = await hook("FileChanged", { file_path: "/etc/hosts" });
  expect(others.json()).toEqual(watched);
  await hook("UserPromptSubmit", { prompt_id: "p1", prompt: "Work." });
  const busy = await hook("FileChanged", { file_path: bell });
  expect({ code: busy.code, said: busy.json() }).toEqual({ code: 0, said: watched });
});

test("a subagent's hooks take nothing, and a command of ours in it is marked", async () => {
  const machine = await machineWithDaemon();
  const { hook, post, board, name, bell } = await startedSession(machine);
  await hook("UserPromptSubmit", { prompt_id: "p1", prompt: "Work." });
  await post(board, { body: "For the agent.", to: [`@${name}`] });
  const inside = { agent_id: "a-1", prompt_id: "p1", file_path: bell };
  for (const event of ["PostToolBatch", "Stop", "FileChanged", "SessionEnd"] as const)
    expect(await hook(event, inside)).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect((await machine.json(["status"])).daemon.open_sessions).toBe(1);
  const roots = await saying(() => hook("PostToolBatch", { prompt_id: "p1" }));
  expect(contextOf(roots, "PostToolBatch")).toContain("For the agent.");
  const before = (command: string, agent = "a-1") =>
    hook("PreToolUse", {
      agent_id: agent,
      prompt_id: "p1",
      tool_name: "Bash",
      tool_input: { command, description: "kept" },
    });
  const said = (await before("cd x && service say hello")).json().hookSpecificOutput;
  expect(said).toEqual({
    hookEventName: "PreToolUse",
    updatedInput: {
      command: "export SERVICE_SUBAGENT=a-1; cd x && service say hello",
      description: "kept",
    },
  });
  const odd = (await before("X=1 ./bin/service say 'a'", "a'b")).json().hookSpecificOutput;
  expect(odd.updatedInput.command).toStartWith("export SERVICE_SUBAGENT='a'\\''b'; X=1 ");
  for (const command of [
    "timeout 60 service inbox",
    "timeout -k 5s 1m ./service inbox",
    "nice -n 10 service say x",
    "if service status; then ls; fi",
    "while ! service say x; do ls; done",
    "sh -c 'service x'",
    'bash -lc "service say x"',
    "ls | xargs -I {} service say {}",
    "env -i A=b service say x",
  ])
    expect((await before(command)).json().hookSpecificOutput.updatedInput.command).toEndWith(
      command,
    );
  for (const command of [
    "cat /srv/service/notes",
    "grep service x",
    "ls service",
    "services x",
    "time -p ls service",
    "timeout 5 cat service",
    "grep -c 'x' service",
    "notify if-service",
  ])
    expect(await before(command)).toMatchObject({ code: 0, stdout: "", stderr: "" });
});

test("a subagent's plain call that only reads is allowed where the person's rule allows it", async () => {
  const machine = newMachine();
  const { hook, hooksFile } = playClaudeCode(machine);
  const program = `${process.execPath} ${join(import.meta.dir, "../../../src/main.ts")}`;
  const decision = async (command: string) => {
    const input = { agent_id: "a", tool_name: "Bash", tool_input: { command } };
    const { updatedInput, permissionDecision } = (await hook("PreToolUse", input)).json()
      .hookSpecificOutput;
    expect(updatedInput.command).toBe(`export SERVICE_SUBAGENT=a; ${command}`);
    return permissionDecision;
  };
  expect(await decision(`${program} inbox --peek`)).toBeUndefined();
  const rules = { permissions: { allow: [`Bash(${program} *)`] } };
  writeFileSync(hooksFile, JSON.stringify(rules));
  for (const command of ["inbox --peek", "read --limit 5", "status", "audit verify --board x"])
    expect(await decision(`${program} ${command}`)).toBe("allow");
  for (const command of [
    "say hello",
    "inbox",
    "hook claude-code prompt",
    "status; rm -rf x",
    "read $(id)",
    "read `id`",
    "read | tee x",
    "read > x",
    "read < x",
    "read &",
    "read \n id",
    "read --nope",
  ])
    expect(await decision(`${program} ${command}`)).toBeUndefined();
  expect(await decision("service status")).toBeUndefined();
});

test("a hook whose input is broken, enormous or empty says so in one line and blocks nothing", async () => {
  const machine = newMachine();
  const run = (stdin: string, words = ["claude-code", "prompt"]) =>
    machine.run(["hook", ...words], { stdin });
  const huge = `{"session_id":"${"x".repeat(65 * 1024 * 1024)}"}`;
  const secret = `abk_${"a".repeat(43)}`;
  const inputs = ['{"session_id":"s', "", "null", "[]", "{}", huge, `{"x":${secret}}`];
  const rans = [
    ...(await Promise.all(inputs.map((stdin) => run(stdin)))),
    await run("{}", ["claude-code", "nothing"]),
    await run("{}", ["nothing"]),
    await run('{"session_id":"a\\nb"}'),
  ];
  for (const { code, stdout, stderr } of rans) {
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^service hook: .*\n$/);
    expect(stderr).not.toContain(secret);
  }
});

test("a hook reads no credentials, and opens nothing but the daemon's socket", async () => {
  const machine = await machineWithDaemon();
  const { hook, bell, folders } = playClaudeCode(machine);
  // A session without a seat, so that the daemon has no reason to read them either.
  mkdirSync(folders.config, { recursive: true });
  for (const name of ["credentials.json", "servers.json", "owner-token"])
    writeFileSync(join(folders.config, name), "[]");
  const fetches = spyOn(globalThis, "fetch");
  const opened = watchOpenings([folders.config]);
  connects.mockClear();
  const turn = { prompt_id: "p1", prompt: "Hello.", file_path: bell };
  const CLAUDE_ENV_FILE = join(machine.home, "env.sh");
  const rans = [
    await hook("SessionStart", { source: "resume" }, { CLAUDE_ENV_FILE }),
    await hook("CwdChanged"),
    await hook("FileChanged", turn),
    await hook("UserPromptSubmit", turn),
    await hook("PreToolUse", { ...turn, tool_name: "Bash", tool_input: { command: "ls" } }),
    await hook("PostToolBatch", turn),
    await hook("Stop", turn),
    await hook("StopFailure", turn),
    await hook("SessionEnd"),
  ];
  expect(rans.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(rans.map(() => "0"));
  // The bell's path is all that the second one says, and it needs nobody for that.
  const asking = rans.filter((_, at) => at !== 1);
  // What other tests of this process have left behind goes on connecting to their own daemons.
  const unix = connects.mock.calls
    .map(([options]) => (options as { unix?: string }).unix)
    .filter((path) => path === undefined || path.startsWith(machine.home));
  expect(unix).toEqual(asking.map(() => join(folders.state, "daemon.sock")));
  expect(fetches.mock.calls).toEqual([]);
  expect(opened.taken()).toEqual([]);
  readFileSync(join(folders.config, "credentials.json"));
  expect(opened.taken()).toEqual(["credentials.json"]);
  opened.end();
  fetches.mockRestore();
});

test("a hook that finds no daemon starts it, and the session is as it was", async () => {
  const machine = newMachineOfProcesses();
  const { hook } = await startedSession(machine);
  await machine.ok(["down"]);
  expect(await hook("UserPromptSubmit", { prompt_id: "p1", prompt: "Hello." })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "",
  });
  const { daemon } = await machine.json(["status"]);
  expect(daemon).toMatchObject({ running: true, open_sessions: 1 });
});

test("a hook that was taken out while its session is open starts no daemon", async () => {
  const machine = newMachineOfProcesses();
  const { hook, bell, hooksFile } = await startedSession(machine);
  const settings = readFileSync(hooksFile, "utf8");
  writeFileSync(hooksFile, "{}");
  await machine.ok(["down"]);
  const prompt = () => hook("UserPromptSubmit", { prompt_id: "p1", prompt: "Hello." });
  const quiet = { code: 0, stdout: "", stderr: "" };
  expect(await prompt()).toMatchObject(quiet);
  expect(await hook("FileChanged", { file_path: bell })).toMatchObject(quiet);
  rmSync(hooksFile);
  expect(await hook("Stop", { prompt_id: "p1" })).toMatchObject(quiet);
  const runs = async () => (await machine.json(["status"])).daemon.running;
  expect(await runs()).toBe(false);
  // A project that the session works in may name the hooks too.
  const project = join(machine.home, "project");
  mkdirSync(join(project, ".claude"), { recursive: true });
  writeFileSync(join(project, ".claude", "settings.local.json"), settings);
  const inside = { prompt_id: "p2", prompt: "Hello.", cwd: join(project, "deep", "below") };
  expect(await hook("UserPromptSubmit", inside)).toMatchObject(quiet);
  expect(await runs()).toBe(true);
});

/** Ends the daemon, and lets one that is stopping refuse two requests before it is gone. Gives the number of its refusals. */
async function meetStopping(machine: Machine, folders: Parameters<typeof daemonSocket>[0]) {
  await askDaemon(hookOn(machine), { op: "stop" });
  // Before its end it takes the socket away, and then this file.
  await until(() => !existsSync(daemonPid(folders)), "the end of the daemon");
  const unix = daemonSocket(folders, process.getuid!());
  const error = { code: "daemon_not_running", message: "The daemon is stopping.", hint: "" };
  let asked = 0;
  const stopping = Bun.listen({
    unix,
    socket: {
      data(socket) {
        socket.end(`${JSON.stringify({ v: 1, error })}\n`);
        if (++asked > 1) stopping.stop();
      },
    },
  });
  return () => asked;
}

test("a hook that meets a daemon which is stopping tells the next one", async () => {
  const machine = await machineWithDaemon();
  const { hook, folders } = playClaudeCode(machine);
  const asked = await meetStopping(machine, folders);
  const begun = await hook("SessionStart", { source: "startup" });
  expect(begun).toMatchObject({ code: 0, stderr: "" });
  expect(asked()).toBe(2);
  const { status } = await askDaemon(hookOn(machine), { op: "status" });
  expect(status!.open_sessions).toBe(1);
});

test("a bell's hook and a command that meet a daemon which is stopping go on with the next one", async () => {
  const machine = await machineWithDaemon();
  const { hook, folders, bell, env, name } = await startedSession(machine);
  const asked = await meetStopping(machine, folders);
  const ring = hook("FileChanged", { file_path: bell });
  expect((await ring).stderr).toBe("");
  expect(asked()).toBe(2);
  const again = await meetStopping(machine, folders);
  const { agent } = await machine.json(["resume", name], { env });
  expect([agent, again()]).toEqual([name, 2]);
});
