import { expect, test } from "bun:test";
import { chownSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { machineWith } from "../../support/commands/harnesses-on-machine.ts";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const settings = ".claude/settings.json";
const changesOf = (plan: any, harness: string) =>
  plan.harnesses.find(({ name }: any) => name === harness).changes;
const hooksOf = (text: string) => JSON.parse(text).hooks;

test("without --yes init shows what it would write, and writes nothing", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const before = machine.files();
  const { stdout, code } = await machine.run(["init"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Claude Code 2.1.330, for all of your sessions");
  expect(stdout).toMatch(/create +\S+\/\.claude\/settings\.json +9 hooks: SessionStart/);
  expect(stdout).toContain("init --yes`");
  expect(await machine.json(["init"])).toMatchObject({ applied: false, scope: "global" });
  expect(machine.files()).toEqual(before);
  expect(machine.has("state/installs.json")).toBe(false);
});

test("init writes the skill and the hooks by the program's absolute path, for its home, and again changes nothing", async () => {
  const machine = machineWith({ claude: "2.1.330", codex: "0.169.0" });
  const { stdout } = await machine.ok(["init", "--yes"]);
  expect(stdout).toContain("Restart open Claude Code sessions");
  expect(stdout).toContain("Start Codex and trust the hooks");
  const hooks = hooksOf(machine.read(settings));
  expect(Object.keys(hooks)).toEqual([
    "SessionStart",
    "CwdChanged",
    "FileChanged",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolBatch",
    "Stop",
    "StopFailure",
    "SessionEnd",
  ]);
  const [
    {
      hooks: [bell],
    },
  ] = hooks.FileChanged;
  expect(bell).toMatchObject({ type: "command", timeout: 60, asyncRewake: true });
  expect(bell.command).toMatch(/^SERVICE_HOME=\/\S+ \/.+ hook claude-code bell$/);
  expect(bell.command).toContain(`SERVICE_HOME=${machine.home} `);
  expect(machine.read(".claude/skills/service/SKILL.md")).toBe(
    machine.read(".agents/skills/service/SKILL.md"),
  );
  expect(Object.keys(hooksOf(machine.read(".codex/hooks.json")))).toContain("PostToolUse");
  // Nobody asked for rules.
  expect(machine.has(".codex/rules/service.rules")).toBe(false);
  expect(JSON.parse(machine.read(settings)).permissions).toBeUndefined();

  const [files, manifest] = [machine.files(), machine.read("state/installs.json")];
  const again = await machine.json(["init", "--yes"]);
  const actions = again.harnesses.flatMap(({ changes }: any) =>
    changes.map((one: any) => one.action),
  );
  expect(new Set(actions)).toEqual(new Set(["unchanged"]));
  expect(machine.files()).toEqual(files);
  expect(machine.read("state/installs.json")).toBe(manifest);
});

test("the commands of the hooks start this program", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  await machine.ok(["init", "--yes"]);
  const { command } = hooksOf(machine.read(settings)).Stop[0].hooks[0];
  const version = command.replace(/hook claude-code stop$/, "version");
  const ran = Bun.spawnSync(["sh", "-c", version], { cwd: "/" });
  expect(ran.stdout.toString()).toMatch(/^service \d/);
});

test("every other key and hook stays in its place, with the file's layout and permissions", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const before = [
    "{",
    '\t"model": "opus",',
    '\t"hooks": {',
    '\t\t"Stop": [',
    '\t\t\t{ "hooks": [ { "type": "command", "command": "make  lint" } ] }',
    "\t\t],",
    '\t\t"Notification": []',
    "\t},",
    '\t"env": {  "A":"1" }',
    "}",
  ].join("\n");
  machine.write(settings, before, 0o640);
  const { changes } = (await machine.json(["init", "--yes"])).harnesses[0];
  expect(changes[1]).toMatchObject({ kind: "hooks", action: "update" });
  const after = machine.read(settings);
  // What was there is there, line by line, but for the commas that go on.
  let from = 0;
  for (const line of before.split("\n")) {
    const bare = line.replace(/,$/, "");
    expect(after.indexOf(bare, from)).toBeGreaterThanOrEqual(from);
    from = after.indexOf(bare, from) + bare.length;
  }
  expect(after.endsWith('"env": {  "A":"1" }\n}')).toBe(true);
  expect(hooksOf(after).Stop[0].hooks[0].command).toBe("make  lint");
  expect(after).toContain(
    '\n\t\t\t{\n\t\t\t\t"hooks": [\n\t\t\t\t\t{\n\t\t\t\t\t\t"type": "command"',
  );
  expect(statSync(join(machine.home, settings)).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(machine.home, ".claude")).sort()).toEqual(["settings.json", "skills"]);
});

test("a settings file that is a link is followed, and stays a link", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  machine.write("dotfiles/claude.json", '{"model":"opus"}');
  mkdirSync(join(machine.home, ".claude"));
  symlinkSync("../dotfiles/claude.json", join(machine.home, settings));
  await machine.ok(["init", "--yes"]);
  expect(hooksOf(machine.read("dotfiles/claude.json")).Stop).toHaveLength(1);
  expect(lstatSync(join(machine.home, settings)).isSymbolicLink()).toBe(true);
});

const broken = [
  ['{\n  "model": "opus",\n  "hooks": {', "line 3, column 13: it ends too early"],
  ['{\n  // mine\n  "model": "opus"\n}', "line 2, column 3: a name in double quotes is expected"],
  ["[]\n", "line 1: the whole file is not an object in braces"],
  ['{"hooks": "none"}', "line 1: `hooks` is not an object in braces"],
  ['{\n "hooks": {\n  "Stop": {}\n }\n}', "line 3: `hooks.Stop` is not a list in brackets"],
] as const;

test.each(broken)(
  "a settings file that is broken or of another form stops everything: %j",
  async (text, place) => {
    const machine = machineWith({ claude: "2.1.330", codex: "0.169.0" });
    machine.write(settings, text);
    const before = machine.files();
    const { code, stderr } = await machine.run(["init", "--yes"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(place)]);
    expect(stderr).toContain(join(machine.home, settings));
    // Codex comes second, and its files are not written either.
    expect(machine.files()).toEqual(before);
    expect(machine.has("state/installs.json")).toBe(false);
  },
);

test("an event that the installed version lacks is not written, and what is lost is said", async () => {
  const machine = machineWith({ claude: "2.1.90" });
  const { stdout } = await machine.ok(["init", "--yes"]);
  expect(hooksOf(machine.read(settings)).PostToolBatch).toBeUndefined();
  expect(stdout).toContain("the owner's messages wait for the end of the turn");
  machine.install("claude", "2.1.80");
  const older = await machine.ok(["init", "--yes"]);
  expect(older.stdout).toContain(
    "Not written, because it does not know FileChanged: an idle session does not wake.",
  );
  expect(hooksOf(machine.read(settings)).FileChanged).toBeUndefined();
  machine.install("claude", "2.1.330");
  await machine.ok(["init", "--yes"]);
  expect(hooksOf(machine.read(settings)).PostToolBatch).toHaveLength(1);
  expect(stdout).not.toContain("could not be read");
});

test("a version that cannot be read counts as the oldest that works", async () => {
  const machine = machineWith();
  machine.install("claude", "of an unknown kind");
  const { stdout } = await machine.ok(["init", "--yes"]);
  expect(stdout).toContain("Its version could not be read: it gets what 2.1.83 knows.");
  expect(hooksOf(machine.read(settings)).PostToolBatch).toBeUndefined();
  expect(hooksOf(machine.read(settings)).FileChanged).toHaveLength(1);
});

test("hooks of ours from elsewhere or edited are brought up to date in their place, and doubles go", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const hook = (command: string) => ({ hooks: [{ type: "command", command, timeout: 1 }] });
  const old = "/old/bin/service hook claude-code";
  machine.write(
    settings,
    JSON.stringify({
      hooks: {
        Stop: [hook(`${old} stop`), hook("echo theirs"), hook(`${old} stop`)],
        Notification: [hook(`${old} gone-by`)],
        SessionEnd: [
          {
            hooks: [
              ...hook("echo first").hooks,
              ...hook(`'/o d/service' hook claude-code end`).hooks,
            ],
          },
        ],
      },
    }),
  );
  await machine.ok(["init", "--yes"]);
  const { Stop, Notification, SessionEnd } = hooksOf(machine.read(settings));
  expect(Stop).toHaveLength(2);
  expect(Stop[0].hooks[0].timeout).toBe(10);
  expect(Stop[0].hooks[0].command).toMatch(/^SERVICE_HOME.* hook claude-code stop$/);
  expect(Stop[1].hooks[0].command).toBe("echo theirs");
  expect(Notification).toBeUndefined();
  expect(SessionEnd[0].hooks.map((one: any) => one.command)).toEqual([
    "echo first",
    expect.stringMatching(/^SERVICE_HOME.* hook claude-code end$/),
  ]);
});

test("an edited skill and edited hooks are named as such, and written anew", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  await machine.ok(["init", "--yes"]);
  const skill = ".claude/skills/service/SKILL.md";
  const text = machine.read(skill);
  machine.write(skill, `${text}\nMy own words.\n`);
  machine.write(settings, machine.read(settings).replace('"timeout": 60', '"timeout": 61'));
  const plan = changesOf(await machine.json(["init"]), "claude-code");
  const edited = { action: "update", edited: true, written_by: expect.any(String) };
  expect(plan).toMatchObject([edited, edited]);
  await machine.ok(["init", "--yes"]);
  expect(machine.read(skill)).toBe(text);
  expect(hooksOf(machine.read(settings)).FileChanged[0].hooks[0].timeout).toBe(60);
});

test("somebody else's skill or rules in our place are not replaced", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  machine.write(".claude/skills/service/SKILL.md", "---\nname: other\n---\nMine.\n");
  expect(await machine.refusal(["init", "--yes"])).toBe("settings_foreign");
  expect(machine.has(settings)).toBe(false);
  const other = machineWith({ codex: "0.169.0" });
  other.write(".codex/rules/service.rules", 'prefix_rule(pattern=["git"], decision="allow")\n');
  expect(await other.refusal(["init", "--yes", "--allow-commands"])).toBe("settings_foreign");
  expect(other.has(".codex/hooks.json")).toBe(false);
});

test("--allow-commands adds one rule with the absolute path, and keeps it in later runs", async () => {
  const machine = machineWith({ claude: "2.1.330", codex: "0.169.0" });
  machine.write(settings, '{"permissions": {"allow": ["Bash(make *)"], "deny": []}}');
  const plan = await machine.json(["init", "--yes", "--allow-commands"]);
  expect(plan.allow_commands).toBe(true);
  const { allow, deny } = JSON.parse(machine.read(settings)).permissions;
  expect(allow).toEqual(["Bash(make *)", expect.stringMatching(/^Bash\(\/.* \*\)$/)]);
  expect(deny).toEqual([]);
  const rules = machine.read(".codex/rules/service.rules");
  expect(rules).toMatch(/^prefix_rule\(pattern=\["\/.*"\], decision="allow"\)\n$/);
  const files = machine.files();
  const again = await machine.json(["init", "--yes"]);
  expect(changesOf(again, "claude-code")).toContainEqual(
    expect.objectContaining({ kind: "permissions", action: "unchanged" }),
  );
  expect(machine.files()).toEqual(files);
  // A rule that the person took out stays out.
  machine.write(settings, '{"permissions": {"allow": ["Bash(make *)"]}}');
  await machine.ok(["init", "--yes"]);
  expect(JSON.parse(machine.read(settings)).permissions.allow).toEqual(["Bash(make *)"]);
});

test("a rule for a program in another place is not written anew unless the person asks", async () => {
  const machine = machineWith({ codex: "0.169.0" });
  await machine.ok(["init", "--yes", "--allow-commands"]);
  const rules = ".codex/rules/service.rules";
  const [ours, old] = [
    machine.read(rules),
    'prefix_rule(pattern=["/old/service"], decision="allow")\n',
  ];
  machine.write(rules, old);
  await machine.ok(["init", "--yes"]);
  expect(machine.read(rules)).toBe(old);
  await machine.ok(["init", "--yes", "--allow-commands"]);
  expect(machine.read(rules)).toBe(ours);
});

test("what lets sessions do more is the person's: it is refused in a session and for an agent", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  for (const flag of [["--allow-commands"], ["--delivery", "all"]])
    for (const env of [{ CLAUDECODE: "1" }, { SERVICE_AGENT: "ada" }] as Record<string, string>[])
      expect(await machine.refusal(["init", "--yes", ...flag], { env })).toBe(
        "human_command_in_session",
      );
  expect((await machine.json(["init"], { env: { CLAUDECODE: "1" } })).applied).toBe(false);
});

test("--delivery keeps a mode on this machine, and says what it is for", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const first = await machine.json(["init", "--yes", "--delivery", "humans"]);
  expect(first.delivery).toEqual({ mode: "humans", action: "update" });
  const second = await machine.json(["init", "--yes", "--delivery", "humans"]);
  expect(second.delivery).toEqual({ mode: "humans", action: "unchanged" });
  expect((await machine.ok(["init", "--delivery", "all"])).stdout).toContain(
    "service -- delivery all --as NAME",
  );
  expect((await machine.run(["init", "--delivery", "loud"])).code).toBe(2);
});

test("only harnesses that are found or named are set up", async () => {
  const machine = machineWith();
  const none = await machine.ok(["init", "--yes"]);
  expect(none.stdout).toContain("No harness was found");
  expect(machine.files()).toEqual({});
  expect((await machine.run(["init", "--harness", "cursor"])).code).toBe(2);
  expect((await machine.run(["init", "--harness", "claude-code,"])).code).toBe(2);
  const named = await machine.json(["init", "--yes", "--harness", "codex"]);
  expect(named.harnesses).toMatchObject([{ name: "codex", detected: false }]);
  expect(Object.keys(machine.files())).toEqual([
    ".agents/skills/service/SKILL.md",
    ".codex/hooks.json",
  ]);
});

test("settings folders are where the harness's variable says", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const env = { CLAUDE_CONFIG_DIR: join(machine.home, "else where") };
  await machine.ok(["init", "--yes"], { env });
  expect(Object.keys(machine.files())).toEqual([
    "else where/settings.json",
    "else where/skills/service/SKILL.md",
  ]);
});

test("without HOME the folder of the user's account counts, and nothing is written unasked", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const plan = await machine.json(["init"], { env: { HOME: "" } });
  expect(changesOf(plan, "claude-code")[0].path).toMatch(
    /^\/.*\/\.claude\/skills\/service\/SKILL\.md$/,
  );
  expect(plan.applied).toBe(false);
});

test("a folder that takes no files is named before anything is written", async () => {
  const machine = machineWith({ claude: "2.1.330", codex: "0.169.0" });
  machine.write(".codex", "a file in place of a folder");
  const before = machine.files();
  const { code, stderr } = await machine.run(["init", "--yes"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
  expect(machine.files()).toEqual(before);
});

test("a read-only settings file is left alone, with everything else", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  machine.write(settings, "{}\n", 0o444);
  const { code, stderr } = await machine.run(["init", "--yes"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("settings.json cannot be written: it is read-only"),
  ]);
  expect(Object.keys(machine.files())).toEqual([settings]);
});

test.skipIf(process.getuid!() !== 0)(
  "root writes nothing into another user's folders",
  async () => {
    const machine = machineWith({ claude: "2.1.330" });
    mkdirSync(join(machine.home, ".claude"));
    chownSync(join(machine.home, ".claude"), 1234, 1234);
    const { code, stderr } = await machine.run(["init", "--yes"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("belongs to another user")]);
    machine.write(settings, "{}");
    chownSync(join(machine.home, ".claude"), 0, 0);
    chownSync(join(machine.home, settings), 1234, 1234);
    expect((await machine.run(["init", "--yes"])).code).toBe(1);
    expect(machine.files()).toEqual({ [settings]: "{}" });
  },
);

test("opencode's folder follows XDG_CONFIG_HOME", async () => {
  const machine = machineWith({ opencode: "1.18.33" });
  await machine.ok(["init", "--yes"], { env: { XDG_CONFIG_HOME: join(machine.home, "xdg") } });
  expect(Object.keys(machine.files())).toEqual(["xdg/opencode/skills/service/SKILL.md"]);
});

test("a home with blanks and quotes is quoted for the shell", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const home = join(temporaryFolder(), 'it\'s a "home"');
  mkdirSync(home);
  await machine.ok(["init", "--yes"], { env: { SERVICE_HOME: home } });
  const { command } = hooksOf(machine.read(settings)).Stop[0].hooks[0];
  const shown = command.replace(/^(\S+='?.*?'?) \/.*$/s, "$1");
  const ran = Bun.spawnSync(["sh", "-c", `${shown}; printf %s "$SERVICE_HOME"`]);
  expect(ran.stdout.toString()).toBe(home);
});

test("in a terminal init asks what no flag says, and a no changes nothing", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const words = ["init", "--harness", "claude-code", "--scope", "global"];
  const { screen, code } = await atTerminal(machine, words, "May sessions run", "n\nn");
  expect(code).toBe(0);
  expect(screen).toContain("Set up for all of your sessions: no harness.");
  expect(screen).toContain("Write this?");
  expect(screen).toContain("Nothing was written.");
  expect(machine.has(settings)).toBe(false);
  const yes = await atTerminal(machine, words, "May sessions run", "n\ny");
  expect(yes.screen).toContain("Restart open Claude Code sessions");
  expect(machine.has(settings)).toBe(true);
});

test("status names the harnesses that are set up, and not those whose hooks were changed since", async () => {
  const machine = machineWith({ claude: "2.1.330", codex: "0.169.0" });
  const setup = async () => (await machine.json(["status"])).setup;
  expect(await setup()).toEqual({ global: [], project: [] });
  expect((await machine.ok(["status"])).stdout).toMatch(/Setup +no harness: `.*init` sets them up/);
  await machine.ok(["init", "--yes"]);
  expect(await setup()).toEqual({ global: ["claude-code", "codex"], project: [] });
  machine.write(settings, machine.read(settings).replace('"timeout": 60', '"timeout": 61'));
  expect((await machine.ok(["status"])).stdout).toMatch(/Setup +codex \(all sessions\)/);
  machine.write(".codex/hooks.json", "{");
  expect(await setup()).toEqual({ global: [], project: [] });
  machine.write("state/installs.json", "{");
  expect(await setup()).toEqual({ global: [], project: [] });
});
