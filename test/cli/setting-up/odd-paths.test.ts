import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCodeProfile } from "../../../src/client/harnesses/claude-code.ts";
import { codexProfile } from "../../../src/client/harnesses/codex.ts";
import type { HarnessProfile } from "../../../src/client/harnesses/profile.ts";
import { emptyManifest } from "../../../src/cli/setting-up/entries/manifest.ts";
import { ownHooksIn } from "../../../src/cli/setting-up/entries/hook-entries.ts";
import { planSetup } from "../../../src/cli/setting-up/plan/plan-setup.ts";
import { shellWord } from "../../../src/contract/shell-word.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** What is written for a program at a path, by what it is. */
function writtenFor(path: string, profile: HarnessProfile, allowCommands: boolean): string[] {
  const text = shellWord(path);
  const program = { words: [path], text, hookStart: text, home: undefined };
  const state = {
    program,
    build: "0.1.0",
    manifest: emptyManifest,
    versions: {},
    place: (_: HarnessProfile, { kind }: { kind: string }) => `/home/ada/${kind}`,
    file: (name: string) => ({ path: name, target: name, text: null, mode: null, owner: null }),
  };
  const plan = planSetup(state, { scope: "global", profiles: [profile], allowCommands });
  return plan.writes.map((write) => write.text);
}

const odd = ["a b", "it's", 'say "no"', "back\\slash", "$HOME", "a;b", "(x)", "a*b", "ü", "a:b"];

test.each(odd)(
  "a hook starts a program in a folder called %j, and is known again as ours",
  (name) => {
    const folder = join(temporaryFolder(), name);
    mkdirSync(folder);
    const path = join(folder, "service");
    writeFileSync(path, '#!/bin/sh\nprintf %s "$*"\n');
    chmodSync(path, 0o755);
    const settings = writtenFor(path, claudeCodeProfile, false).at(-1)!;
    const { hooks } = JSON.parse(settings);
    const [first] = hooks.Stop[0].hooks;
    expect(Bun.spawnSync(["sh", "-c", first.command]).stdout.toString()).toBe(
      "hook claude-code stop",
    );
    expect(ownHooksIn(settings, "claude-code")).toHaveLength(Object.values(hooks).flat().length);
  },
);

test.each(odd)(
  "Claude Code's rules cannot hold a path with %j, and Codex's hold it in quotes",
  (name) => {
    const path = `/opt/${name}/service`;
    expect(() => writtenFor(path, claudeCodeProfile, true)).toThrow(
      "A rule of Claude Code cannot name",
    );
    const [rule] = writtenFor(path, codexProfile, true).filter((text) =>
      text.startsWith("prefix_rule"),
    );
    const [, words] = /^prefix_rule\(pattern=(\[.*\]), decision="allow"\)\n$/.exec(rule!)!;
    expect(JSON.parse(words!)).toEqual([path]);
  },
);

test("a path with a control character is in no rule at all", () => {
  expect(() => writtenFor("/opt/a\nb/service", codexProfile, true)).toThrow("cannot name");
});
