import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineWith, type HarnessMachine } from "../../support/commands/harnesses-on-machine.ts";

const settings = ".claude/settings.json";

/** What may stand where settings should be, with what is said about it. Nobody writes into the pipe: to open it never ends. */
const strange: Readonly<Record<string, readonly [string, (path: string) => void]>> = {
  "a pipe": ["it is no file", makePipe],
  "a link to a pipe": [
    "it is no file",
    (path) => {
      makePipe(`${path}.pipe`);
      symlinkSync(`${path}.pipe`, path);
    },
  ],
  "a folder": ["it is no file", (path) => mkdirSync(path)],
  "a text in another encoding": [
    "it is no UTF-8 text",
    (path) => writeFileSync(path, "\xe9", "latin1"),
  ],
  "a file without end": [
    "it is larger than 16 MiB",
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 34);
    },
  ],
};
const kinds = Object.keys(strange);

function makePipe(path: string): void {
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
}

function put(machine: HarnessMachine, kind: string, path: string): string {
  const place = join(machine.home, path);
  mkdirSync(dirname(place), { recursive: true });
  const [said, make] = strange[kind]!;
  make(place);
  return said;
}

async function finding(machine: HarnessMachine, options: object = {}) {
  const { checks } = (await machine.run(["doctor", "--json"], options)).json();
  return checks.find(({ code }: { code: string }) => code === "settings_broken");
}

test.each(kinds)("%s in the place of settings is named, and nothing is written", async (kind) => {
  const machine = machineWith({ claude: "2.1.330" });
  const said = put(machine, kind, settings);
  const { code, stderr } = await machine.run(["init", "--yes"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  expect(machine.has(".claude/skills")).toBe(false);
  expect(await finding(machine)).toMatchObject({ name: "claude_hooks", level: "error" });
  expect((await machine.json(["uninstall"])).files).toEqual([]);
});

test.each(kinds)("%s that came with a project keeps no command from its work", async (kind) => {
  const machine = machineWith({ claude: "2.1.330", codex: "0.169.0" });
  machine.installCodex("0.169.0");
  for (const path of [".claude/settings.local.json", ".codex/hooks.json", ".codex/rules/x.rules"])
    put(machine, kind, `work/${path}`);
  const options = { cwd: join(machine.home, "work") };
  await machine.ok(["init", "--yes"], options);
  expect((await finding(machine, options)).message).toContain("work/");
  expect((await machine.json(["status"], options)).setup.project).toEqual([]);
  const { files } = await machine.json(["uninstall"], options);
  expect(files.map(({ scope }: { scope: string }) => scope)).not.toContain("project");
  expect(machine.has(settings)).toBe(false);
});
