import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { machineWith } from "../../support/commands/harnesses-on-machine.ts";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";

const settings = ".claude/settings.json";
const both = { claude: "2.1.330", codex: "0.169.0" };
const folders = (machine: { home: string }) => readdirSync(machine.home).sort();

const odd: Record<string, string> = {
  "nothing in it": "",
  "an empty object": "{}",
  "an empty object with a blank and a line": "{ }\n",
  "an empty object over lines": "{\n\n}\n",
  "one line without blanks": '{"model":"opus","hooks":{"Stop":[{"hooks":[]}]}}',
  "one line with blanks": '{ "model" : "opus" , "permissions" : { "allow" : [ ] } }\n',
  "tabs, no line at the end": '{\n\t"hooks": {\n\t\t"Stop": []\n\t},\n\t"a": [1,2,\n3]\n}',
  "four blanks and Windows lines":
    '{\r\n    "permissions": {\r\n        "allow": ["Bash(ls *)"]\r\n    }\r\n}\r\n',
  "lists on one line":
    '{\n  "hooks": {"Stop": [{"hooks": [{"type":"command","command":"x"}]}]},\n  "z": 1.50e3\n}\n',
  "a mark before the text": '\uFEFF{\n  "name": "\\u00e9"\n}\n',
  "a name twice": '{\n  "a": 1,\n  "hooks": {},\n  "a": 2\n}\n',
};

describe("uninstall gives a settings file back byte for byte", () => {
  test.each(Object.keys(odd))("%s", async (name) => {
    const machine = machineWith(both);
    machine.write(settings, odd[name]!, 0o644);
    machine.write(".codex/hooks.json", odd[name]!);
    const before = machine.files();
    await machine.ok(["init", "--yes"]);
    // A later run with more to write does not lose what was there at first.
    await machine.ok(["init", "--yes", "--allow-commands"]);
    expect(JSON.parse(machine.read(settings).replace("\uFEFF", "")).permissions.allow).not.toEqual(
      [],
    );
    await machine.ok(["uninstall"]);
    expect(machine.files()).toEqual(before);
  });

  test("and deletes the files and folders that init made", async () => {
    const machine = machineWith(both);
    const before = folders(machine);
    await machine.ok(["init", "--yes", "--allow-commands"]);
    const { files } = await machine.json(["uninstall"]);
    expect(machine.files()).toEqual({});
    expect(folders(machine)).toEqual([...before, "data", "state"]);
    expect(new Set(files.map(({ action }: any) => action))).toEqual(new Set(["delete"]));
    expect(files).toContainEqual({
      path: join(machine.home, settings),
      harness: "claude-code",
      scope: "global",
      kind: "permissions",
      action: "delete",
      reason: null,
      written_by: "0.1.0",
    });
    expect((await machine.json(["uninstall"])).files).toEqual([]);
  });
});

test("what others changed since stays, and our entries go, edited ones too", async () => {
  const machine = machineWith(both);
  machine.write(settings, '{\n  "hooks": {\n    "Stop": []\n  }\n}\n');
  await machine.ok(["init", "--yes", "--allow-commands"]);
  const now = JSON.parse(machine.read(settings));
  now.hooks.Stop.push({ hooks: [{ type: "command", command: "echo theirs" }] });
  now.hooks.SessionEnd[0].hooks[0].command += " 2>/dev/null";
  now.permissions.allow.unshift("Bash(ls *)");
  machine.write(settings, `${JSON.stringify(now, null, 2)}\n`);
  await machine.ok(["uninstall"]);
  expect(machine.read(settings)).toBe(
    `${JSON.stringify(
      {
        hooks: { Stop: [{ hooks: [{ type: "command", command: "echo theirs" }] }] },
        permissions: { allow: ["Bash(ls *)"] },
      },
      null,
      2,
    )}\n`,
  );
});

test("a file of ours that somebody edited is kept and named, and stays known", async () => {
  const machine = machineWith(both);
  await machine.ok(["init", "--yes"]);
  const skill = ".claude/skills/service/SKILL.md";
  machine.write(skill, `${machine.read(skill)}Mine.\n`);
  const { stdout } = await machine.ok(["uninstall"]);
  expect(stdout).toMatch(/keep +\S+\/SKILL\.md +edited since/);
  expect(Object.keys(machine.files())).toEqual([skill]);
  const { files } = await machine.json(["uninstall"]);
  expect(files).toMatchObject([{ action: "keep", reason: "edited", written_by: "0.1.0" }]);
});

test("links that lead to no file yet are there again as they were", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const links = [".claude/settings.json", ".claude/skills/service/SKILL.md"];
  for (const link of links) {
    mkdirSync(join(machine.home, link, ".."), { recursive: true });
    symlinkSync("dots/mine", join(machine.home, link));
  }
  await machine.ok(["init", "--yes"]);
  expect(machine.has(".claude/dots/mine")).toBe(true);
  await machine.ok(["uninstall"]);
  expect(machine.files()).toEqual({});
  for (const link of links) expect(readlinkSync(join(machine.home, link))).toBe("dots/mine");
});

test("a rule that the person wrote before init stays", async () => {
  const machine = machineWith(both);
  await machine.ok(["init", "--yes", "--allow-commands"]);
  const [rule] = JSON.parse(machine.read(settings)).permissions.allow;
  const other = machineWith(both);
  const text = `${JSON.stringify({ permissions: { allow: [rule] } })}\n`;
  other.write(settings, text);
  await other.ok(["init", "--yes", "--allow-commands"]);
  await other.ok(["uninstall"]);
  expect(other.read(settings)).toBe(text);
});

test("without a manifest everything of ours is still found", async () => {
  const machine = machineWith(both);
  await machine.ok(["init", "--yes", "--allow-commands"]);
  writeFileSync(
    join(machine.home, "state/installs.json"),
    '{"installs":[],"restores":[],"folders":[]}',
  );
  await machine.ok(["uninstall"]);
  expect(machine.files()).toEqual({});
});

test("what was there before the manifest was lost goes too, after another init", async () => {
  const machine = machineWith(both);
  await machine.ok(["init", "--yes", "--allow-commands"]);
  writeFileSync(
    join(machine.home, "state/installs.json"),
    '{"installs":[],"restores":[],"folders":[]}',
  );
  await machine.ok(["init", "--yes"]);
  await machine.ok(["uninstall"]);
  expect(Object.keys(machine.files())).toEqual([settings]);
  // Nothing says any more who wrote the rule.
  expect(Object.keys(JSON.parse(machine.read(settings)))).toEqual(["permissions"]);
});

test("a manifest whose files were never written does no harm", async () => {
  const machine = machineWith(both);
  machine.write(settings, '{"model":"opus"}');
  await machine.ok(["init", "--yes", "--allow-commands"]);
  // As a power cut leaves it: the manifest comes first.
  rmSync(join(machine.home, ".agents"), { recursive: true });
  rmSync(join(machine.home, ".codex"), { recursive: true });
  machine.write(settings, '{"model":"opus"}');
  await machine.ok(["init", "--yes"]);
  expect(Object.keys(JSON.parse(machine.read(settings)))).toEqual(["model", "hooks"]);
  expect(machine.has(".codex/hooks.json")).toBe(true);
  await machine.ok(["uninstall"]);
  expect(machine.files()).toEqual({ [settings]: '{"model":"opus"}' });
});

test("a project that is set up is found from anywhere", async () => {
  const machine = machineWith(both);
  const cwd = join(machine.home, "work");
  mkdirSync(cwd);
  await machine.run(["init", "--yes", "--scope", "project"], { cwd });
  expect(Object.keys(machine.files()).length).toBe(4);
  await machine.ok(["uninstall"]);
  expect(machine.files()).toEqual({});
  expect(existsSync(cwd)).toBe(true);
});

test("hooks that came with a project and run another program are left alone", async () => {
  const machine = machineWith(both);
  const command = "/tmp/other/service hook claude-code stop";
  const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
  machine.write("work/.claude/settings.local.json", text);
  const before = machine.files();
  const ran = await machine.run(["uninstall"], { cwd: join(machine.home, "work") });
  expect(ran.code).toBe(0);
  expect(machine.files()).toEqual(before);
});

test("--dry-run shows the same and changes nothing", async () => {
  const machine = machineWith(both);
  await machine.ok(["init", "--yes"]);
  const before = machine.files();
  const dry = await machine.json(["uninstall", "--dry-run"]);
  expect(dry).toMatchObject({ applied: false, daemon_stopped: false });
  const { stdout } = await machine.ok(["uninstall", "--dry-run"]);
  expect(stdout).toContain("Nothing is changed yet");
  expect(machine.files()).toEqual(before);
  expect((await machine.json(["uninstall"])).files).toEqual(dry.files);
  expect(dry.files.map(({ path }: any) => path)).toContain(join(machine.home, settings));
});

test("a settings file of ours that is broken now stops uninstall before anything is changed", async () => {
  const machine = machineWith(both);
  await machine.ok(["init", "--yes"]);
  machine.write(settings, machine.read(settings).slice(0, 40));
  const before = machine.files();
  expect(await machine.refusal(["uninstall"])).toBe("settings_broken");
  expect(machine.files()).toEqual(before);
});

describe("uninstall --data", () => {
  const inHome = (machine: { home: string }) => ({
    env: { SERVICE_HOME: join(machine.home, "own"), SERVICE_LOCAL_ADDR: "" },
  });

  test("stops the server and deletes the folders of this program, after a yes", async () => {
    const machine = machineWith(both);
    const options = inHome(machine);
    await machine.ok(["pair", "--board", "docs", "--name", "ada"], options);
    await machine.ok(["init", "--yes"], options);
    expect(await machine.refusal(["uninstall", "--data"], options)).toBe("confirmation_required");
    expect(machine.has(settings)).toBe(true);
    const done = await machine.json(["uninstall", "--data", "--yes"], options);
    expect(done).toMatchObject({ applied: true, server_stopped: true, data: { deleted: true } });
    expect(done.data.dirs).toHaveLength(3);
    expect(existsSync(join(machine.home, "own"))).toBe(false);
    expect(machine.files()).toEqual({});
  });

  test("asks in a terminal, and a no changes nothing", async () => {
    const machine = machineWith(both);
    const env = { ...machine.env, ...inHome(machine).env };
    await machine.ok(["init", "--yes"], { env });
    const question = "This deletes for good";
    const { screen } = await atTerminal(
      { ...machine, env },
      ["uninstall", "--data"],
      question,
      "n",
    );
    expect(screen).toContain("Nothing was changed.");
    expect(machine.has(settings)).toBe(true);
  });

  test("refuses a SERVICE_HOME that is the person's home, and keeps what else lies in it", async () => {
    const machine = machineWith(both);
    const { code, stderr } = await machine.run(["uninstall", "--data", "--yes"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("may be yours")]);
    const options = inHome(machine);
    await machine.ok(["init", "--yes"], options);
    writeFileSync(join(machine.home, "own/mine.txt"), "mine");
    await machine.ok(["uninstall", "--data", "--yes"], options);
    expect(readdirSync(join(machine.home, "own"))).toEqual(["mine.txt"]);
    expect(readFileSync(join(machine.home, "own/mine.txt"), "utf8")).toBe("mine");
  });

  test("is the person's alone", async () => {
    const env = { CLAUDECODE: "1" };
    const refused = await machineWith().refusal(["uninstall", "--data", "--yes"], { env });
    expect(refused).toBe("human_command_in_session");
  });
});
