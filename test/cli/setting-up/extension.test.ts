import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { builtInFile } from "../../../src/client/harnesses/built-in-files.ts";
import { opencodeProfile } from "../../../src/client/harnesses/opencode.ts";
import { fileState } from "../../../src/cli/setting-up/settings-files/file-state.ts";
import { emptyManifest, sha256 } from "../../../src/cli/setting-up/entries/manifest.ts";
import { planRemoval } from "../../../src/cli/setting-up/plan/plan-removal.ts";
import { planSetup } from "../../../src/cli/setting-up/plan/plan-setup.ts";
import { bothScopes } from "../../../src/cli/setting-up/entries/two-scopes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { machineWith } from "../../support/commands/harnesses-on-machine.ts";

const program = {
  words: ['/opt/a "b"/service'],
  text: `'/opt/a "b"/service'`,
  hookStart: `'/opt/a "b"/service'`,
  home: "/srv/home",
};
// A test runs from a checkout, whose init writes no extension: so the plan is asked for another program.
const state = {
  program,
  build: "0.1.0",
  manifest: emptyManifest,
  versions: {},
  file: fileState,
  place: (_: unknown, item: { kind: string }) => `/nowhere/${item.kind}`,
};
const wishes = { scope: "global", profiles: [opencodeProfile], allowCommands: false } as const;

test("opencode gets the skill, and the extension with this program's path and home in it", () => {
  const { writes, harnesses } = planSetup(state, wishes);
  expect(harnesses[0]!.changes.map(({ kind, action }) => [kind, action])).toEqual([
    ["skill", "create"],
    ["file", "create"],
  ]);
  const text = writes.at(-1)!.text;
  expect(text).toContain('const program = "/opt/a \\"b\\"/service";');
  expect(text).toContain('const home = "/srv/home";');
});

test("init warns of an extension in the other scope", () => {
  const folder = temporaryFolder();
  const place = (_: unknown, { kind }: { kind: string }, scope: string) =>
    kind === "file" ? join(folder, `${scope}.js`) : null;
  expect(bothScopes({ ...state, place }, wishes)).toEqual([]);
  const other = join(folder, "project.js");
  writeFileSync(other, "export const ofTheProject = 1;");
  expect(bothScopes({ ...state, place }, wishes)).toEqual([]);
  writeFileSync(other, builtInFile("opencode-plugin.js", { program: "/old/service" })!);
  expect(bothScopes({ ...state, place }, wishes)).toEqual([
    `opencode: ${folder}/project.js is an extension of ours too. With both, a session has two: keep one of them.`,
  ]);
});

test("the extension is deleted as it was written, and kept once it was edited", () => {
  const { writes, records } = planSetup(state, wishes);
  const [, record] = records;
  const text = writes.at(-1)!.text;
  expect(record!.sha256).toBe(sha256(text));
  const removalOf = (found: string) =>
    planRemoval({
      ...state,
      manifest: { ...emptyManifest, installs: [record!] },
      file: (path) => ({
        path,
        target: path,
        text: path.endsWith("file") ? found : null,
        mode: 0o600,
        owner: 0,
      }),
    }).removals;
  expect(removalOf(text)).toMatchObject([{ kind: "file", action: "delete" }]);
  expect(removalOf(`${text}// mine`)).toMatchObject([{ kind: "file", action: "keep" }]);
});

test("a checkout says that it cannot write the extension", async () => {
  const machine = machineWith({ opencode: "1.18.33" });
  const { stdout } = await machine.ok(["init", "--yes"]);
  expect(stdout).toContain("npm run build");
  expect(Object.keys(machine.files())).toEqual([".config/opencode/skills/service/SKILL.md"]);
});
