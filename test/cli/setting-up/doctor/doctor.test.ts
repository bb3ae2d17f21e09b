import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  machineWith,
  type HarnessMachine,
} from "../../../support/commands/harnesses-on-machine.ts";

const settings = ".claude/settings.json";
const both = { claude: "2.1.330", codex: "0.169.0" };

interface Found {
  readonly name: string;
  readonly level: string;
  readonly code: string | null;
  readonly message: string;
  readonly fix: string | null;
}

/** Runs doctor, and gives every finding that is not `ok` by its code. */
async function findings(
  machine: HarnessMachine,
  options: object = {},
): Promise<Record<string, Found>> {
  const { code, json } = await machine.run(["doctor", "--json"], options);
  const { checks } = json() as { checks: Found[] };
  expect(code).toBe(checks.some(({ level }) => level === "error") ? 3 : 0);
  for (const { level, code, fix, message } of checks) {
    expect(level === "ok").toBe(code === null);
    expect(level === "ok").toBe(fix === null);
    expect(message).not.toBe("");
  }
  return Object.fromEntries(
    checks.flatMap((check) => (check.code === null ? [] : [[check.code, check]])),
  );
}

/** A machine that is set up, whose Codex answers `hooks/list` with our hooks and this trust. */
async function setUp(programs: Record<string, string> = both): Promise<HarnessMachine> {
  const machine = machineWith(programs);
  if (programs["codex"]) machine.installCodex(programs["codex"]);
  await machine.ok(["init", "--yes", "--allow-commands"]);
  return machine;
}

test("a machine that is set up has no finding but Codex's trust, and doctor changes nothing", async () => {
  const machine = await setUp();
  const before = machine.files();
  expect(Object.keys(await findings(machine))).toEqual(["codex_hooks_untrusted"]);
  expect(machine.files()).toEqual(before);
  machine.listCodexHooks("trusted");
  expect(await findings(machine)).toEqual({});
  const { stdout } = await machine.ok(["doctor"]);
  expect(stdout).toContain("Nothing is wrong.");
  expect(stdout).toMatch(/ok +claude_hooks +\S+: 9 hooks\./);
  expect((await machine.json(["status"])).daemon.running).toBe(false);
});

test("each finding of Codex's trust comes with its way out", async () => {
  const machine = await setUp();
  machine.listCodexHooks("untrusted", ["invalid hooks.json"]);
  const found = await findings(machine);
  expect(found["codex_hooks_untrusted"]!.message).toContain("6 of our 6 hooks");
  expect(found["codex_hooks_warning"]!.message).toContain("invalid hooks.json");
  machine.install("codex", "0.169.0", "exit 1");
  expect(await findings(machine)).toMatchObject({
    codex_trust_unknown: { level: "warning" },
    codex_queue_missing: { level: "error" },
  });
});

test("what was never set up is missing, and the fix sets it up", async () => {
  const machine = machineWith(both);
  machine.installCodex("0.169.0");
  const found = await findings(machine);
  expect(found).toMatchObject({
    claude_hooks_missing: { level: "error", name: "claude_hooks" },
    codex_hooks_missing: { level: "warning", name: "codex_hooks" },
    skill_missing: { level: "warning" },
    codex_service_not_allowed: { level: "warning", name: "codex_allow" },
  });
  expect(found["claude_hooks_missing"]!.fix).toContain("init --yes");
  await machine.ok(["init", "--yes", "--allow-commands"]);
  machine.listCodexHooks("trusted");
  expect(await findings(machine)).toEqual({});
});

test("a harness that the person left out is a warning, and no harness at all is one too", async () => {
  const machine = machineWith(both);
  await machine.ok(["init", "--yes", "--harness", "claude"]);
  expect(Object.keys(await findings(machine))).toEqual(["codex_hooks_missing"]);
  expect(await findings(machineWith())).toMatchObject({ no_harness_found: { level: "warning" } });
});

test("edited, outdated and broken files are told apart", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  const [skill, text] = [".claude/skills/service/SKILL.md", machine.read(settings)];
  machine.write(skill, `${machine.read(skill)}Mine.\n`);
  machine.write(settings, text.replace('"timeout": 60', '"timeout": 61'));
  expect(await findings(machine)).toMatchObject({
    skill_edited: { name: "claude_skill", level: "warning" },
    hooks_edited: { name: "claude_hooks", level: "warning" },
  });
  machine.write("state/installs.json", '{"installs":[],"restores":[],"folders":[]}');
  expect(Object.keys(await findings(machine))).toEqual(["hooks_outdated", "skill_outdated"]);
  machine.write(settings, text.slice(0, 30));
  const broken = (await findings(machine))["settings_broken"]!;
  expect(broken).toMatchObject({ name: "claude_hooks", level: "error" });
  expect(broken.message).toContain("line 3");
  machine.write("state/installs.json", "{");
  expect((await findings(machine))["internal"]!.message).toContain("installs.json is damaged");
});

test("hooks of another program are outdated for the user, and foreign in a project", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  const elsewhere = machine
    .read(settings)
    .replaceAll(/SERVICE_HOME=\S+ .*? hook/g, "/old/service hook");
  machine.write(settings, elsewhere);
  machine.write("state/installs.json", '{"installs":[],"restores":[],"folders":[]}');
  expect((await findings(machine))["hooks_outdated"]!.message).toContain(
    "They run /old/service hook",
  );
  machine.write("work/.claude/settings.local.json", elsewhere);
  const cwd = join(machine.home, "work");
  const foreign = (await findings(machine, { cwd }))["hooks_foreign"]!;
  expect(foreign).toMatchObject({ level: "error" });
  expect(foreign.message).toContain("/old/service hook claude-code stop");
});

test("settings over a link out of the project, and hooks in both scopes, are found", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  const cwd = join(machine.home, "work");
  mkdirSync(cwd);
  symlinkSync("../.claude", join(cwd, ".claude"));
  machine.write(".claude/settings.local.json", machine.read(settings));
  expect((await findings(machine, { cwd }))["hooks_foreign"]!.message).toContain(
    "leads out of the project",
  );
  const other = join(machine.home, "other");
  mkdirSync(other);
  await machine.run(["init", "--yes", "--scope", "project", "--harness", "claude"], { cwd: other });
  expect(Object.keys(await findings(machine, { cwd: other }))).toEqual(["hooks_in_both_scopes"]);
});

test("an older version, an unknown one and none at all are told apart", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  machine.install("claude", "2.1.100");
  const older = await findings(machine);
  expect(Object.keys(older)).toEqual(["hooks_outdated", "claude_hooks_unsupported"]);
  machine.install("claude", "2.1.60");
  await machine.ok(["init", "--yes"]);
  const old = await findings(machine);
  expect(old).toMatchObject({ claude_too_old: {}, claude_hooks_unsupported: { level: "warning" } });
  expect(old["claude_hooks_unsupported"]!.message).toContain(
    "FileChanged (an idle session does not wake)",
  );
  machine.install("claude", "unknown");
  expect(await findings(machine)).toMatchObject({ claude_version_unknown: {} });
  const none = machineWith();
  mkdirSync(join(none.home, ".claude"));
  expect(await findings(none)).toMatchObject({ claude_code_not_installed: { level: "warning" } });
  // A version that nobody could read is not said to lack anything.
  await none.ok(["init", "--yes"]);
  expect(Object.keys(await findings(none))).toEqual(["claude_code_not_installed"]);
});

test("settings that turn hooks off are found wherever they stand", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  machine.write("work/.claude/settings.json", '{"disableAllHooks": true}');
  expect(Object.keys(await findings(machine))).toEqual([]);
  const cwd = join(machine.home, "work");
  const found = (await findings(machine, { cwd }))["claude_hooks_disabled"]!;
  expect(found).toMatchObject({ name: "claude_settings", level: "error" });
  expect(found.message).toContain("work/.claude/settings.json");
});

test("a rule in any rules file of Codex counts, and so does one of the project", async () => {
  const machine = await setUp({ codex: "0.169.0" });
  machine.listCodexHooks("trusted");
  const rule = machine.read(".codex/rules/service.rules");
  machine.write(".codex/rules/service.rules", "");
  expect(await findings(machine)).toMatchObject({ codex_service_not_allowed: {} });
  const advice = "To let it out: ";
  expect((await machine.ok(["init"])).stdout).toContain(advice);
  machine.write(".codex/rules/mine.rules", `# mine\n${rule}`);
  expect(await findings(machine)).toEqual({});
  expect((await machine.ok(["init"])).stdout).not.toContain(advice);
});

test("folders of the daemon that others can enter are unsafe", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  chmodSync(join(machine.home, "state"), 0o755);
  const { socket_unsafe: unsafe } = await findings(machine);
  expect(unsafe).toMatchObject({ level: "error", name: "daemon" });
  expect(unsafe!.fix).toContain("chmod 700");
});

test("a sandbox is named, and nothing is called stopped that cannot be seen", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  const inside = { env: { CODEX_SANDBOX_NETWORK_DISABLED: "1", NO_SOCKETS: "1" } };
  const found = await machine.run(["doctor", "--json"], inside);
  const codes = (found.json().checks as Found[]).map(({ name, code }) => [name, code]);
  expect(codes).toContainEqual(["local_server", "sandbox_blocks_network"]);
  expect(codes).toContainEqual(["daemon", "sandbox_blocks_network"]);
  expect(await findings(machine, { env: { SANDBOX_RUNTIME: "1" } })).toMatchObject({
    daemon_in_sandbox: { level: "error" },
  });
});

test("servers with seats of this machine are asked, and one that does not answer is an error", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  await machine.ok(["pair", "--board", "docs", "--name", "ada"]);
  const seats = JSON.parse(machine.read("config/credentials.json"));
  const url = "https://127.0.0.1:1";
  machine.write(
    "config/credentials.json",
    JSON.stringify([...seats, { ...seats[0], server: url, member_id: "mem_x" }]),
  );
  const found = await findings(machine);
  expect(found).toMatchObject({
    server_unreachable: { level: "error", name: "server" },
    login_missing: { level: "error", name: "server" },
  });
  expect(found["login_missing"]!.fix).toContain(`login ${url}`);
});

test("another program at the local server's address is an error", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
  const address = `127.0.0.1:${other.port}`;
  const found = await findings(machine, { env: { SERVICE_LOCAL_ADDR: address } });
  expect(found["server_not_running"]).toMatchObject({ name: "local_server", level: "error" });
});

test("a delivery mode that is kept here is a warning", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  await machine.ok(["init", "--yes", "--delivery", "humans"]);
  expect(await findings(machine)).toMatchObject({ delivery_mode_kept_here: { level: "warning" } });
});

test("doctor runs in sessions and in subagents", async () => {
  const machine = await setUp({ claude: "2.1.330" });
  for (const env of [{ CLAUDECODE: "1" }, { SERVICE_SUBAGENT: "a1" }] as Record<string, string>[])
    expect(await findings(machine, { env })).toEqual({});
});
