import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { machineWith, type HarnessMachine } from "../../support/commands/harnesses-on-machine.ts";

const project = ["init", "--yes", "--scope", "project", "--harness", "claude-code"];

/** The same machine whose commands run in a folder of it. */
function inFolder(machine: HarnessMachine, folder: string) {
  mkdirSync(join(machine.home, folder), { recursive: true });
  const cwd = join(machine.home, folder);
  return { run: (words: string[]) => machine.run(words, { cwd }) };
}

test("a project gets its files in its folder alone", async () => {
  const machine = machineWith({ claude: "2.1.330", codex: "0.169.0" });
  const { run } = inFolder(machine, "work");
  const { stdout, code } = await run(["init", "--yes", "--scope", "project"]);
  expect(code).toBe(0);
  expect(stdout).toContain("for sessions in this folder");
  expect(stdout).toContain("only once the project is trusted");
  expect(Object.keys(machine.files())).toEqual([
    "work/.agents/skills/service/SKILL.md",
    "work/.claude/settings.local.json",
    "work/.claude/skills/service/SKILL.md",
    "work/.codex/hooks.json",
  ]);
});

test("the home folder is no project", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const { code, stderr } = await machine.run(project);
  expect([code, stderr]).toEqual([2, expect.stringContaining("is your home folder")]);
  expect(machine.files()).toEqual({});
});

test("hooks in both scopes are warned of", async () => {
  const machine = machineWith({ codex: "0.169.0" });
  const { run } = inFolder(machine, "work");
  await run(["init", "--yes", "--scope", "project"]);
  expect((await run(["init"])).stdout).toContain("work/.codex/hooks.json has hooks of ours too");
});

test("hooks that came with a repository and run another program are never taken over", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  const command = "/tmp/evil/service hook claude-code stop";
  const hooks = { Stop: [{ hooks: [{ type: "command", command }] }] };
  machine.write("work/.claude/settings.local.json", JSON.stringify({ hooks }));
  const before = machine.files();
  const { code, stderr } = await inFolder(machine, "work").run(project);
  expect([code, stderr]).toEqual([1, expect.stringContaining(command)]);
  expect(machine.files()).toEqual(before);
});

test("what leads out of the project over a link is never written through", async () => {
  const machine = machineWith({ claude: "2.1.330" });
  machine.write("else/settings.local.json", "{}");
  mkdirSync(join(machine.home, "one"));
  symlinkSync("../else", join(machine.home, "one/.claude"));
  machine.write("two/.claude/other", "");
  symlinkSync(
    "../../else/settings.local.json",
    join(machine.home, "two/.claude/settings.local.json"),
  );
  mkdirSync(join(machine.home, "three/.claude"), { recursive: true });
  symlinkSync("../../else/new.json", join(machine.home, "three/.claude/settings.local.json"));
  const before = machine.files();
  for (const folder of ["one", "two", "three"]) {
    const { code, stderr } = await inFolder(machine, folder).run(project);
    expect([folder, code, stderr]).toEqual([
      folder,
      1,
      expect.stringContaining("leads out of the project"),
    ]);
  }
  expect(machine.files()).toEqual(before);
});
