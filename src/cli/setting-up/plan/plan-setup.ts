import type { HarnessProfile, InstallItem } from "../../../client/harnesses/profile.ts";
import { allowRule, noRule } from "../entries/allow-rule.ts";
import { hooksFor } from "../entries/hook-entries.ts";
import {
  recordOf,
  sha256,
  type InstallRecord,
  type PartKind,
  type RestoreRecord,
  type Scope,
} from "../entries/manifest.ts";
import { foreignFile, isOurs } from "../entries/own-file.ts";
import { textInside } from "../entries/own-program.ts";
import { planSettings } from "./plan-settings.ts";
import {
  partOf,
  type FileWrite,
  type Part,
  type SetupPlan,
  type SetupState,
  type Wishes,
} from "../entries/setup-types.ts";
import { skillText } from "../entries/skill.ts";

/** Plans what `init` writes. Refuses, before anything is changed, each file that cannot be changed safely. */
export function planSetup(state: SetupState, wishes: Wishes): SetupPlan {
  const writes: FileWrite[] = [];
  const restores: RestoreRecord[] = [];
  const records: InstallRecord[] = [];
  const harnesses = wishes.profiles.map((profile) => {
    const planned = planHarness(state, wishes, profile);
    writes.push(...planned.writes);
    restores.push(...planned.restores);
    records.push(...planned.parts.flatMap(({ record }) => (record ? [record] : [])));
    const version = state.versions[profile.harness] ?? null;
    const { lost } = hooksFor(profile, version, state.program.hookStart);
    return { profile, version, lost, changes: planned.parts.map(({ change }) => change) };
  });
  return { scope: wishes.scope, harnesses, writes, records, restores };
}

function planHarness(state: SetupState, wishes: Wishes, profile: HarnessProfile) {
  const planned = {
    parts: [] as Part[],
    writes: [] as FileWrite[],
    restores: [] as RestoreRecord[],
  };
  for (const item of profile.install) {
    const path = state.place(profile, item, wishes.scope);
    if (path === null) continue;
    const whole = ownText(state, wishes, profile, item, path);
    if (whole) {
      const part = ownFilePart(state, wishes.scope, profile, { ...whole, path });
      planned.parts.push(part);
      if (part.change.action !== "unchanged")
        planned.writes.push({ file: state.file(path), text: whole.text });
    }
    if (item.kind === "hooks") {
      const settings = planSettings(state, wishes, profile, path);
      planned.parts.push(...settings.parts);
      planned.writes.push(...settings.writes);
      planned.restores.push(...settings.restores);
    }
  }
  return planned;
}

/** The text of a file that is ours alone, or null for an item that is none, or that is not wanted. */
function ownText(
  state: SetupState,
  { allowCommands }: Wishes,
  profile: HarnessProfile,
  item: InstallItem,
  path: string,
): { kind: PartKind; text: string; what: string; allow?: string[] } | null {
  if (item.kind === "skill")
    return {
      kind: "skill",
      text: skillText(state.program),
      what: "tells agents how to use service",
    };
  if (item.kind === "file") {
    const text = textInside(state.program, item.source);
    return text === null ? null : { kind: "file", text, what: "runs inside the harness" };
  }
  if (item.kind !== "allow-rule" || !item.places) return null;
  const rule = allowRule(item, state.program);
  // What the person allowed before stays; for a program that has moved they are asked again.
  if (!allowCommands && state.file(path).text !== `${rule}\n`) return null;
  if (rule === null) throw noRule(profile, state.program);
  const what = "lets sessions run service without a question";
  return { kind: "permissions", text: `${rule}\n`, what, allow: [rule] };
}

function ownFilePart(
  { manifest, build, file }: SetupState,
  scope: Scope,
  { harness }: HarnessProfile,
  part: NonNullable<ReturnType<typeof ownText>> & { readonly path: string },
): Part {
  const { path, kind, text, what, allow } = part;
  const found = file(path).text;
  const record = recordOf(manifest, path, kind);
  if (found !== null && found !== text && !record && !isOurs(kind, found, text))
    throw foreignFile(path);
  const action = found === null ? "create" : found === text ? "unchanged" : "update";
  const isEdited = action === "update" && record !== undefined && record.sha256 !== sha256(found!);
  return partOf({
    change: {
      path,
      kind,
      action,
      what,
      ...(allow && { allow }),
      ...(isEdited && { edited: true }),
    },
    harness,
    scope,
    build,
    record,
    digest: sha256(text),
  });
}
