import { rmSync } from "node:fs";
import { expect, test } from "bun:test";
import { machineWith, type HarnessMachine } from "../../support/commands/harnesses-on-machine.ts";

const opencode = ".config/opencode/opencode.json";
const calls = "bin/calls.txt";

/** A machine whose Claude Code and Codex note how they are called, and keep the entry as they would. */
function withPrograms(): HarnessMachine {
  const machine = machineWith({ opencode: "1.18.33" });
  machine.install(
    "claude",
    "2.1.330",
    `echo "claude $*" >> "${machine.home}/${calls}"
case "$3" in
--scope) case "$2" in
  add) shift 5; home=\${2#SERVICE_HOME=}; shift 3
    printf '{"mcpServers":{"service":{"type":"stdio","command":"%s","args":["%s","%s"],"env":{"SERVICE_HOME":"%s"}}}}' "$1" "$2" "$3" "$home" > "${machine.home}/.claude.json";;
  remove) echo '{"mcpServers":{}}' > "${machine.home}/.claude.json";;
esac;; esac`,
  );
  machine.install(
    "codex",
    "0.169.0",
    `echo "codex $*" >> "${machine.home}/${calls}"
case "$2" in get) exit 1;; esac`,
  );
  return machine;
}

const changes = (plan: any) =>
  plan.harnesses.map(({ name, changes }: any) => [
    name,
    changes.find(({ kind }: any) => kind === "mcp")?.action,
  ]);

test("--mcp adds our tools by the harness's own command, or in plain JSON, and a second run changes nothing", async () => {
  const machine = withPrograms();
  machine.write(opencode, '{\n  "theme": "dark"\n}\n');
  const plan = await machine.json(["init", "--mcp"]);
  expect(changes(plan)).toEqual([
    ["claude-code", "create"],
    ["codex", "create"],
    ["opencode", "create"],
  ]);
  expect(machine.read(opencode)).toBe('{\n  "theme": "dark"\n}\n');
  await machine.ok(["init", "--mcp", "--yes"]);
  const ran = machine.read(calls).split("\n");
  const start = `SERVICE_HOME=${machine.home} -- /`;
  expect(ran).toContainEqual(
    expect.stringContaining(`claude mcp add --scope user service -e ${start}`),
  );
  expect(ran).toContainEqual(expect.stringContaining(`codex mcp add service --env ${start}`));
  const { theme, mcp } = JSON.parse(machine.read(opencode));
  expect(theme).toBe("dark");
  expect(mcp.service).toMatchObject({ type: "local", environment: { SERVICE_HOME: machine.home } });
  expect(mcp.service.command.at(-1)).toBe("mcp");
  const again = await machine.json(["init", "--mcp", "--yes", "--harness", "claude,opencode"]);
  expect(changes(again)).toEqual(
    [
      ["claude-code", "unchanged"],
      ["opencode", "unchanged"],
      ["codex", undefined],
    ].sort(),
  );
  expect(
    machine
      .read(calls)
      .split("\n")
      .filter((line) => line.startsWith("claude mcp")),
  ).toHaveLength(1);
});

test("uninstall takes the tools away again, byte for byte where the file is ours to change", async () => {
  const machine = withPrograms();
  const text = '{ "theme" : "dark" ,"mcp":{}}';
  machine.write(opencode, text);
  await machine.ok(["init", "--mcp", "--yes"]);
  const { files } = await machine.json(["uninstall"]);
  expect(files).toContainEqual(
    expect.objectContaining({ harness: "opencode", kind: "mcp", action: "edit" }),
  );
  expect(machine.read(opencode)).toBe(text);
  expect(machine.read(calls)).toContain("claude mcp remove --scope user service");
  const other = withPrograms();
  await other.ok(["init", "--mcp", "--yes", "--harness", "opencode"]);
  await other.ok(["uninstall"]);
  expect(other.files()).toEqual({});
});

test("tools that somebody changed since are kept and named", async () => {
  const machine = withPrograms();
  await machine.ok(["init", "--mcp", "--yes", "--harness", "opencode"]);
  const edited = machine.read(opencode).replace('"mcp"\n', '"mcp", "--as", "ada"\n');
  machine.write(opencode, edited);
  const { files } = await machine.json(["uninstall"]);
  expect(files).toContainEqual(
    expect.objectContaining({ harness: "opencode", kind: "mcp", action: "keep", reason: "edited" }),
  );
  expect(machine.read(opencode)).toBe(edited);
});

test("doctor looks for the tools that init added", async () => {
  const machine = withPrograms();
  await machine.ok(["init", "--mcp", "--yes", "--harness", "opencode"]);
  const check = async () =>
    (await machine.run(["doctor", "--json"]))
      .json()
      .checks.find(({ name }: any) => name === "opencode_tools");
  expect(await check()).toMatchObject({ level: "ok" });
  const text = machine.read(opencode);
  machine.write(opencode, text.replace('"mcp"\n', '"mcp", "--as", "ada"\n'));
  expect(await check()).toMatchObject({ level: "warning", code: "tools_edited" });
  machine.write(opencode, "{}");
  expect(await check()).toMatchObject({ level: "warning", code: "tools_missing" });
});

test("a file with comments is never touched: the lines to add are shown", async () => {
  const machine = withPrograms();
  const text = '{\n  // mine\n  "theme": "dark"\n}\n';
  machine.write(opencode, text);
  const { stdout } = await machine.ok(["init", "--mcp", "--yes", "--harness", "opencode"]);
  expect(stdout).toContain("Add to ");
  expect(stdout).toContain('"service": {');
  expect(machine.read(opencode)).toBe(text);
  const other = withPrograms();
  other.write(`${opencode}c`, text);
  await other.ok(["init", "--mcp", "--yes", "--harness", "opencode"]);
  expect(other.has(opencode)).toBe(false);
});

test("a harness that does not take the tools is named after everything else is written", async () => {
  const machine = machineWith();
  machine.install("claude", "2.1.330", "exit 1");
  expect(await machine.refusal(["init", "--mcp", "--yes"])).toBe("harness_unavailable");
  expect(machine.has(".claude/settings.json")).toBe(true);
  const missing = machineWith();
  const { stdout } = await missing.ok(["init", "--mcp", "--yes", "--harness", "claude"]);
  expect(stdout).toContain("Run: claude mcp add --scope user service");
});

test("where Codex cannot read its settings nothing is written, and nothing is forgotten", async () => {
  const machine = withPrograms();
  machine.install("codex", "0.169.0", "exit 1");
  const { error } = (await machine.run(["init", "--mcp", "--yes", "--json"])).json();
  expect(error.code).toBe("settings_broken");
  expect(error.message).toContain(`${machine.home}/.codex/config.toml`);
  expect(machine.files()).toEqual({});

  const other = withPrograms();
  await other.ok(["init", "--mcp", "--yes", "--harness", "codex"]);
  other.install("codex", "0.169.0", "exit 1");
  const kept = expect.objectContaining({ harness: "codex", kind: "mcp", action: "keep" });
  expect((await other.json(["uninstall"])).files).toContainEqual(kept);
  rmSync(`${other.home}/bin/codex`);
  expect((await other.json(["uninstall"])).files).toContainEqual(kept);
});

test("tools are for all sessions, and added by the person alone", async () => {
  const machine = withPrograms();
  const project = ["init", "--mcp", "--yes", "--scope", "project", "--harness", "claude"];
  expect((await machine.run(project)).code).toBe(2);
  const env = { CLAUDECODE: "1" };
  expect(await machine.refusal(["init", "--mcp"], { env })).toBe("human_command_in_session");
});

test("tools that start another program are brought up to date, and the file is still given back as it was", async () => {
  const machine = withPrograms();
  const words = ["init", "--mcp", "--yes", "--harness", "opencode"];
  const text = '{"theme":"dark"}';
  machine.write(opencode, text);
  await machine.ok(words, { env: { SERVICE_HOME: `${machine.home}/other` } });
  const manifest = machine.read("other/state/installs.json");
  machine.write("state/installs.json", manifest);
  expect(changes(await machine.json(words))).toContainEqual(["opencode", "update"]);
  expect(JSON.parse(machine.read(opencode)).mcp.service.environment.SERVICE_HOME).toBe(
    machine.home,
  );
  await machine.ok(["uninstall"]);
  expect(machine.read(opencode)).toBe(text);
});
