import type { HarnessProfile, InstallItem } from "../../../client/harnesses/profile.ts";
import { shellWord } from "../../../contract/shell-word.ts";
import { failure, fine, warning, type Check } from "./check.ts";
import { recordOf, sha256, type Scope } from "../entries/manifest.ts";
import { isOwnFile } from "../entries/own-file.ts";
import { textInside } from "../entries/own-program.ts";
import type { SetupState } from "../entries/setup-types.ts";
import { skillText } from "../entries/skill.ts";

/** The skill of a harness, and its extension if it has one. */
export function checkOwnFiles(state: SetupState, profile: HarnessProfile): Check[] {
  return profile.install.flatMap((item) => {
    if (item.kind !== "skill" && item.kind !== "file") return [];
    const word = item.kind === "skill" ? "skill" : "extension";
    const name = `${profile.checkName}_${word}`;
    const checks = (["global", "project"] as const).flatMap((scope) =>
      checkScope(state, profile, { item, scope, word, name }),
    );
    if (checks.length === 0) return [missing(state, profile, { word, name })];
    return item.kind === "file" ? [...checks, ...twice(state, profile, item)] : checks;
  });
}

/** An extension in both scopes is loaded twice, and a session then has two connections. */
function twice(
  { place, file }: SetupState,
  profile: HarnessProfile,
  item: Extract<InstallItem, { kind: "file" }>,
): Check[] {
  const places = (["global", "project"] as const).map((scope) => place(profile, item, scope));
  const found = [...new Set(places)].filter((path) => {
    const text = path === null ? null : file(path).text;
    return text !== null && isOwnFile(item, text);
  });
  if (found.length < 2) return [];
  return [
    warning({
      name: `${profile.checkName}_extension`,
      code: "extension_in_both_scopes",
      message: `Extensions of ours stand in ${found.join(" and in ")}: with both, a session has two.`,
      fix: `Delete one of them: \`rm ${shellWord(found[1]!)}\``,
    }),
  ];
}

const foreign = (name: string, path: string): Check =>
  failure({
    name,
    code: "settings_foreign",
    message: `${path} is not a file of this program, and stands where one belongs.`,
    fix: "Move that file away, then `service init --yes`.",
  });

function missing(
  { program }: SetupState,
  { name: harness, checkName }: HarnessProfile,
  { word, name }: { readonly word: Word; readonly name: string },
): Check {
  if (word === "skill")
    return warning({
      name,
      code: "skill_missing",
      fix: "`service init --yes`",
      message: `${harness} has no skill of ours: its agents do not know this program.`,
    });
  return failure({
    name,
    code: `${checkName}_extension_missing`,
    message: `${harness} has no extension of ours: no message reaches its sessions.`,
    fix:
      program.words.length === 1
        ? "`service init --yes`"
        : "A checkout writes none: `npm run build`, then `init --yes` of the program in `dist`.",
  });
}

function checkScope(
  { file, manifest, place, program }: SetupState,
  profile: HarnessProfile,
  given: {
    readonly item: Extract<InstallItem, { kind: "skill" | "file" }>;
    readonly scope: Scope;
    readonly word: Word;
    readonly name: string;
  },
): Check[] {
  const { item, scope, word, name } = given;
  const path = place(profile, item, scope);
  const text = path === null ? null : file(path).text;
  if (path === null || text === null) return [];
  if (scope === "project" && path === place(profile, item, "global")) return [];
  const wanted = item.kind === "skill" ? skillText(program) : textInside(program, item.source);
  if (wanted === null)
    return [fine(name, `${path}: there. A checkout cannot tell whether it is up to date.`)];
  if (text === wanted)
    return [fine(name, `${path}: up to date.${item.kind === "file" ? registry : ""}`)];
  const record = recordOf(manifest, path, item.kind);
  if (!record && !isOwnFile(item, text)) return scope === "project" ? [] : [foreign(name, path)];
  const isEdited = record !== undefined && record.sha256 !== sha256(text);
  const fix = `\`service init --yes${scope === "project" ? " --scope project" : ""}\` writes it anew.`;
  return [
    warning({
      name,
      fix,
      code: `${word}_${isEdited ? "edited" : "outdated"}` as const,
      message: isEdited
        ? `${path} was edited since ${record.version} wrote it.`
        : `${path} is not the one of this program.`,
    }),
  ];
}

type Word = "skill" | "extension";

const registry =
  " With any plugin opencode asks the npm registry at its start, and waits more than a minute where that cannot be reached.";
