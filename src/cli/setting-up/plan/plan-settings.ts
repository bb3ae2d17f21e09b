import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import { addRule, allowRule, noRule, removeRule, rulesIn } from "../entries/allow-rule.ts";
import { refuseForeign } from "../entries/foreign-hooks.ts";
import {
  bare,
  digestOfHooks,
  hasHooks,
  hooksFor,
  hooksShape,
  ownHooksIn,
  writeHooks,
} from "../entries/hook-entries.ts";
import { draftOf, rewrite, undone } from "../settings-files/json-edits.ts";
import {
  digestOf,
  recordOf,
  sha256,
  type InstallRecord,
  type RestoreRecord,
} from "../entries/manifest.ts";
import { brokenSettings, fits, WrongShape } from "../entries/settings-shape.ts";
import {
  partOf,
  type FileWrite,
  type Part,
  type SetupState,
  type Wishes,
} from "../entries/setup-types.ts";

/** The hooks in the harness's own settings file, and the rule if it stands there too. */
export function planSettings(
  state: SetupState,
  { scope, allowCommands }: Wishes,
  profile: HarnessProfile,
  path: string,
): { parts: Part[]; writes: FileWrite[]; restores: RestoreRecord[] } {
  const { harness } = profile;
  const { manifest, program, build } = state;
  const file = state.file(path);
  const found = file.text ?? "";
  const now = found.trim() === "" ? "{}\n" : found;
  const version = state.versions[harness] ?? null;
  const { hooks } = hooksFor(profile, version, program.hookStart);
  const [hooksRecord, ruleRecord] = (["hooks", "permissions"] as const).map((kind) =>
    recordOf(manifest, path, kind),
  );
  const restore = manifest.restores.find((one) => one.path === path);
  const isAsLeft = file.text !== null && restore?.sha256 === sha256(found);
  const draft = draftOf(isAsLeft ? undone(found, restore.edits) : found);
  if (draft.text.trim() === "") rewrite(draft, "{}\n");
  const common = { harness, scope, build };
  try {
    fits(now, hooksShape(hooks.map(({ event }) => event)));
    if (scope === "project" && !hooksRecord) refuseForeign(path, now, profile, program);
    const written = file.text === null ? "create" : "update";
    const before = ownHooksIn(now, harness).map(bare);
    const hasAll = hasHooks(now, harness, hooks);
    writeHooks(draft, harness, hooks);
    const isEdited = hooksRecord && !hasAll && hooksRecord.sha256 !== digestOfHooks(before);
    const events = hooks.map(({ event }) => event).join(", ");
    const parts = [
      partOf({
        change: {
          path,
          kind: "hooks",
          what: `${hooks.length} hooks: ${events}`,
          action: hasAll ? "unchanged" : written,
          ...(isEdited && { edited: true }),
        },
        ...common,
        record: hooksRecord,
        digest: digestOfHooks(hooks),
      }),
    ];
    const rule = ruleFor(state, profile, { allowCommands, ruleRecord, now });
    if (rule !== null) {
      const isThere = rulesIn(now).includes(rule);
      if (ruleRecord?.rule !== undefined && ruleRecord.rule !== rule)
        removeRule(draft, ruleRecord.rule);
      addRule(draft, rule);
      const what = `lets sessions run service without a question: ${rule}`;
      const action = isThere ? "unchanged" : written;
      const part = partOf({
        change: { path, kind: "permissions", action, allow: [rule], what },
        ...common,
        record: ruleRecord,
        digest: digestOf(rule),
        rule,
      });
      // A rule that the person wrote before us is theirs, and stays when ours go.
      parts.push(isThere && !ruleRecord ? { ...part, record: null } : part);
    }
    const text = draft.text;
    const writes = text === found ? [] : [{ file, text }];
    const created = isAsLeft ? restore.created : file.text === null;
    return {
      parts,
      writes,
      restores: [{ path, sha256: sha256(text), edits: draft.edits, created }],
    };
  } catch (error) {
    throw error instanceof WrongShape ? brokenSettings(path, error) : error;
  }
}

/** The rule that the settings file is to have: the one asked for now, else the one that was written before and is there. */
function ruleFor(
  { program }: SetupState,
  profile: HarnessProfile,
  given: {
    readonly allowCommands: boolean;
    readonly ruleRecord: InstallRecord | undefined;
    readonly now: string;
  },
): string | null {
  const item = profile.install.find((one) => one.kind === "allow-rule");
  if (item?.kind !== "allow-rule" || item.places) return null;
  const { allowCommands, ruleRecord, now } = given;
  if (!allowCommands) {
    const kept = ruleRecord?.rule;
    return kept !== undefined && rulesIn(now).includes(kept) ? kept : null;
  }
  const rule = allowRule(item, program);
  if (rule === null) throw noRule(profile, program);
  return rule;
}
