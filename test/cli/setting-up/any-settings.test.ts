import { expect, test } from "bun:test";
import fc from "fast-check";
import { claudeCodeProfile } from "../../../src/client/harnesses/claude-code.ts";
import type { FileState } from "../../../src/cli/setting-up/settings-files/file-state.ts";
import { emptyManifest, type Manifest } from "../../../src/cli/setting-up/entries/manifest.ts";
import { planRemoval } from "../../../src/cli/setting-up/plan/plan-removal.ts";
import { planSetup } from "../../../src/cli/setting-up/plan/plan-setup.ts";
import type { SetupState } from "../../../src/cli/setting-up/entries/setup-types.ts";
import { tries } from "../../support/tries.ts";

const path = "/opt/service/bin/service";
const program = { words: [path], text: path, hookStart: path, home: undefined };
const settings = "/home/ada/.claude/settings.json";

/** A machine of one settings file. Both scopes name the same places, so that nothing is looked for elsewhere. */
const stateWith = (text: string | null, manifest: Manifest): SetupState => ({
  program,
  build: "0.1.0",
  manifest,
  versions: { "claude-code": "2.1.330" },
  place: (profile, item, scope) => {
    const ours = profile === claudeCodeProfile && item.kind === "hooks" && scope === "global";
    return ours ? settings : null;
  },
  file: (name): FileState => ({
    path: name,
    target: name,
    mode: 0o600,
    owner: 0,
    text: name === settings ? text : null,
  }),
});

/** Runs init: the text of the settings afterwards, and the manifest. */
function initialised(text: string | null, manifest: Manifest, allowCommands: boolean) {
  const wishes = { scope: "global", profiles: [claudeCodeProfile], allowCommands } as const;
  const plan = planSetup(stateWith(text, manifest), wishes);
  const written = plan.writes.find(({ file }) => file.path === settings);
  const { records: installs, restores } = plan;
  return { text: written?.text ?? text!, manifest: { ...emptyManifest, installs, restores } };
}

/** Any settings, in any layout, whose hooks and permissions have the form that a harness reads. */
const anySettings = fc
  .record(
    {
      model: fc.jsonValue(),
      hooks: fc.dictionary(
        fc.oneof(fc.constantFrom("Stop", "SessionStart", "PreToolUse"), fc.string()),
        fc.array(
          fc.record({
            matcher: fc.string(),
            hooks: fc.array(fc.record({ type: fc.constant("command"), command: fc.string() })),
          }),
        ),
      ),
      permissions: fc.record(
        { deny: fc.array(fc.string()), allow: fc.array(fc.string()) },
        { requiredKeys: [] },
      ),
      "": fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .chain((value) =>
    fc
      .record({
        indent: fc.constantFrom("", " ", "  ", "\t", "    "),
        end: fc.constantFrom("", "\n", "\r\n", "\n\n "),
        start: fc.constantFrom("", "\n", "\uFEFF"),
        newline: fc.constantFrom("\n", "\r\n"),
      })
      .map(({ indent, end, start, newline }) => {
        const text = JSON.stringify(value, null, indent).replaceAll("\n", newline);
        return start + text + end;
      }),
  );

const plain = (text: string) => JSON.parse(text.replace("\uFEFF", ""));

test("whatever the settings are, init keeps the rest, does nothing the second time, and uninstall gives back every byte", () => {
  const property = fc.property(anySettings, fc.boolean(), fc.boolean(), (text, allow, later) => {
    const first = initialised(text, emptyManifest, allow);
    const [before, after] = [plain(text), plain(first.text)];
    for (const [key, value] of Object.entries(before))
      if (!["hooks", "permissions"].includes(key)) expect(after[key]).toEqual(value);
    for (const [event, groups] of Object.entries<any[]>(before.hooks ?? {}))
      expect(after.hooks[event].slice(0, groups.length)).toEqual(groups);
    expect(initialised(first.text, first.manifest, allow).text).toBe(first.text);
    const last = later ? initialised(first.text, first.manifest, true) : first;
    const { files } = planRemoval(stateWith(last.text, last.manifest));
    expect(files.map((file) => file.text)).toEqual([text]);
  });
  fc.assert(property, tries(40));
});

test("and when somebody has written it anew since, our entries go and theirs stay", () => {
  const property = fc.property(anySettings, fc.boolean(), (text, allow) => {
    const first = initialised(text, emptyManifest, allow);
    const anew = JSON.stringify(plain(first.text), null, 3);
    const [removal] = planRemoval(stateWith(anew, first.manifest)).files;
    const left = removal!.text;
    expect(withoutEmpty(left === null ? {} : JSON.parse(left))).toEqual(withoutEmpty(plain(text)));
    expect(left ?? "").not.toContain(path);
  });
  fc.assert(property, tries(40));
});

/** The settings without the empty objects and lists that go with our entries. */
function withoutEmpty(settings: any): any {
  const hooks = Object.entries<any[]>(settings.hooks ?? {}).filter(
    ([, groups]) => groups.length > 0,
  );
  const { permissions = {}, ...rest } = settings;
  const { allow = [], ...others } = permissions;
  return {
    ...rest,
    hooks: Object.fromEntries(hooks),
    permissions: { ...others, ...(allow.length > 0 && { allow }) },
  };
}
