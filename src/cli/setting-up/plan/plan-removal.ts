import type { HarnessProfile, InstallItem } from "../../../client/harnesses/profile.ts";
import { profiles } from "../../../client/harnesses/index.ts";
import { allowRule, allowShape, removeRule, rulesIn } from "../entries/allow-rule.ts";
import { textIfReadable, type FileState } from "../settings-files/file-state.ts";
import { foreignCommands } from "../entries/foreign-hooks.ts";
import { ownHooksIn, removeHooks } from "../entries/hook-entries.ts";
import { draftOf, undone } from "../settings-files/json-edits.ts";
import { jsonTree } from "../settings-files/json-tree.ts";
import {
  recordOf,
  sha256,
  type InstallRecord,
  type PartKind,
  type Scope,
} from "../entries/manifest.ts";
import { textInside } from "../entries/own-program.ts";
import { brokenSettings, fits, WrongShape } from "../entries/settings-shape.ts";
import type { SetupState } from "../entries/setup-types.ts";
import { skillText } from "../entries/skill.ts";

/** A part of a file that `uninstall` found, as `--json` shows it. */
export interface Removal {
  readonly path: string;
  readonly harness: string;
  readonly scope: Scope;
  readonly kind: PartKind;
  readonly action: "delete" | "edit" | "keep";
  readonly reason: "edited" | null;
  readonly written_by: string | null;
}

/** A file to change, or to delete where the text is null. */
export interface FileRemoval {
  readonly file: FileState;
  readonly text: string | null;
}

/** All that `uninstall` takes out of the files of harnesses. Nothing is changed while it is made. */
export interface RemovalPlan {
  readonly removals: readonly Removal[];
  readonly files: readonly FileRemoval[];
}

type State = Pick<SetupState, "program" | "manifest" | "place" | "file">;

/** A place where something of ours may be. */
interface Place {
  readonly path: string;
  readonly profile: HarnessProfile;
  readonly scope: Scope;
  readonly item: InstallItem;
}

/** Plans what `uninstall` takes away: what the manifest names, and what both scopes have from the working folder on. */
export function planRemoval(state: State): RemovalPlan {
  const plans = placesOf(state).map((place) => {
    const isKnown = state.manifest.installs.some(({ path }) => path === place.path);
    // What nobody here wrote and cannot be read has nothing of ours, such as what came with a project.
    if (!isKnown && textIfReadable(state.file, place.path) === null) return nothing;
    return place.item.kind === "hooks"
      ? removeFromSettings(state, place)
      : removeOwnFile(state, place);
  });
  return {
    removals: plans.flatMap(({ removals }) => removals),
    files: plans.flatMap(({ files }) => files),
  };
}

function placesOf(state: State): Place[] {
  const places = profiles.flatMap((profile) =>
    profile.install.flatMap((item) => [
      ...state.manifest.installs.flatMap((record) =>
        record.harness === profile.harness && isOfItem(record, item)
          ? [{ path: record.path, profile, scope: record.scope, item }]
          : [],
      ),
      ...(["global", "project"] as const).flatMap((scope) => {
        const path = state.place(profile, item, scope);
        return path === null ? [] : [{ path, profile, scope, item }];
      }),
    ]),
  );
  // What the manifest says of a path counts before what the working folder makes of it.
  return [...new Map(places.reverse().map((place) => [place.path, place])).values()].reverse();
}

const isOfItem = ({ kind }: InstallRecord, item: InstallItem): boolean =>
  item.kind === "allow-rule" ? kind === "permissions" && Boolean(item.places) : kind === item.kind;

const nothing: RemovalPlan = { removals: [], files: [] };

/** A file of ours goes, unless somebody edited it or nobody knows who wrote it. */
function removeOwnFile(state: State, { path, profile, scope, item }: Place): RemovalPlan {
  const kind =
    item.kind === "allow-rule" ? "permissions" : item.kind === "skill" ? "skill" : "file";
  const file = state.file(path);
  if (file.text === null) return nothing;
  const record = recordOf(state.manifest, path, kind);
  const isOurs = record ? record.sha256 === sha256(file.text) : file.text === ownText(state, item);
  if (!record && !isOurs && scope === "project") return nothing;
  const removal: Removal = {
    path,
    harness: profile.harness,
    scope,
    kind,
    action: isOurs ? "delete" : "keep",
    reason: isOurs ? null : "edited",
    written_by: record?.version ?? null,
  };
  return { removals: [removal], files: isOurs ? [{ file, text: null }] : [] };
}

function ownText({ program }: State, item: InstallItem): string | null {
  if (item.kind === "skill") return skillText(program);
  if (item.kind === "file") return textInside(program, item.source);
  const rule = item.kind === "allow-rule" ? allowRule(item, program) : null;
  return rule && `${rule}\n`;
}

/** Our entries go out of a settings file, also edited ones: they run the program that is being removed. */
function removeFromSettings(state: State, { path, profile, scope }: Place): RemovalPlan {
  const { harness } = profile;
  const { manifest, program } = state;
  const file = state.file(path);
  if (file.text === null) return nothing;
  const text = file.text.trim() === "" ? "{}" : file.text;
  const [hooks, permissions] = (["hooks", "permissions"] as const).map((kind) =>
    recordOf(manifest, path, kind),
  );
  const isKnown = hooks !== undefined || permissions !== undefined;
  try {
    fits(text, { hooks: { kind: "object", inside: {} }, ...allowShape });
  } catch (error) {
    if (error instanceof WrongShape && isKnown) throw brokenSettings(path, error);
    return nothing;
  }
  // What came with a project and runs another program is not ours to touch.
  if (!isKnown && scope === "project" && foreignCommands(text, profile, program).length > 0)
    return nothing;
  const rule = permissions?.rule ?? (isKnown ? null : settingsRule(state, profile));
  const hasHooks = ownHooksIn(text, harness).length > 0;
  const hasRule = rule !== null && rule !== undefined && rulesIn(text).includes(rule);
  if (!hasHooks && !hasRule) return nothing;
  const after = without(state, { path, harness, text: file.text, rule: hasRule ? rule : null });
  const common = { path, harness, scope, reason: null } as const;
  const action = after === null ? "delete" : "edit";
  const removal = (kind: PartKind, record: InstallRecord | undefined): Removal => ({
    ...common,
    kind,
    action,
    written_by: record?.version ?? null,
  });
  return {
    removals: [
      ...(hasHooks ? [removal("hooks", hooks)] : []),
      ...(hasRule ? [removal("permissions", permissions)] : []),
    ],
    files: [{ file, text: after }],
  };
}

function settingsRule({ program }: State, profile: HarnessProfile): string | null {
  const item = profile.install.find(({ kind }) => kind === "allow-rule");
  return item?.kind === "allow-rule" && !item.places ? allowRule(item, program) : null;
}

/** The settings without our entries: as they were, byte for byte, if nobody changed the file since. Null for none. */
function without(
  { manifest }: State,
  given: {
    readonly path: string;
    readonly harness: string;
    readonly text: string;
    readonly rule: string | null;
  },
): string | null {
  const { path, harness, text, rule } = given;
  const restore = manifest.restores.find((one) => one.path === path && one.sha256 === sha256(text));
  if (restore?.created) return null;
  const before = restore ? undone(text, restore.edits) : text;
  if (before.trim() === "") return before;
  const draft = draftOf(before);
  // Entries of ours may have been there before the manifest was.
  removeHooks(draft, harness);
  if (rule !== null) removeRule(draft, rule);
  if (draft.edits.length === 0) return before;
  return jsonTree(draft.text).parts.length === 0 ? null : draft.text;
}
