import { existsSync, rmSync } from "node:fs";
import { buildInfo } from "../../client/build-info.ts";
import { profileOf } from "../../client/harnesses/index.ts";
import type { HarnessProfile } from "../../client/harnesses/profile.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { shellWord } from "../../contract/shell-word.ts";
import type { Cli } from "../frame/cli.ts";
import { fileState } from "./settings-files/file-state.ts";
import { removeEmpty } from "./entries/hook-entries.ts";
import { onPath, outputOf } from "./entries/harness-version.ts";
import {
  append,
  draftOf,
  removeMember,
  replace,
  rewrite,
  undone,
  type Edit,
} from "./settings-files/json-edits.ts";
import { jsonTree, nodeAt } from "./settings-files/json-tree.ts";
import {
  digestOf,
  emptyManifest,
  manifestFile,
  readManifest,
  sha256,
  type InstallRecord,
  type RestoreRecord,
} from "./entries/manifest.ts";
import type { OwnProgram } from "./entries/own-program.ts";
import type { Removal } from "./plan/plan-removal.ts";
import type { Change, FileWrite, Wishes } from "./entries/setup-types.ts";
import { fits, WrongShape } from "./entries/settings-shape.ts";
import {
  isNoJson,
  opencodeEntry,
  toolSettings,
  toolsName,
  wantedTools,
  type ToolEntry,
} from "./entries/tool-entries.ts";
import { writeFiles } from "./plan/write-files.ts";

/** What is done so that a harness has our tools. */
export interface ToolsPlan {
  readonly profile: HarnessProfile;
  readonly change: Change;
  readonly entry: ToolEntry;
  /** What the person does, where this program may not. */
  readonly byHand: string | null;
}

/** Plans how the harnesses get our tools. Refuses a project: the harnesses would ask everybody in it. */
export async function planTools(
  cli: Cli,
  program: OwnProgram,
  { scope, profiles }: Wishes,
): Promise<ToolsPlan[]> {
  if (scope === "project")
    throw usageError(
      "`--mcp` sets tools up for all of your sessions, and not for a project.",
      "Leave out `--scope project`.",
    );
  return Promise.all(profiles.map((profile) => planOne(cli, program, profile)));
}

async function planOne(cli: Cli, program: OwnProgram, profile: HarnessProfile): Promise<ToolsPlan> {
  const settings = toolSettings(profile);
  const entry = wantedTools(program);
  const path = settings.path(cli);
  const plan = (
    action: Change["action"],
    what: string,
    byHand: string | null = null,
  ): ToolsPlan => ({ profile, entry, byHand, change: { path, kind: "mcp", action, what } });
  const add = settings.commands?.add(entry).map(shellWord).join(" ");
  if (add !== undefined && !onPath(cli, profile.command))
    return plan("unchanged", "no tools: its program is not on the PATH", `Run: ${add}`);
  try {
    const found = await settings.current(cli);
    if (Bun.deepEquals(found, entry)) return plan("unchanged", "our tools");
    if (settings.commands === null) changedFile(cli, path, entry);
    return plan(found === null ? "create" : "update", add ? `our tools, by: ${add}` : "our tools");
  } catch (error) {
    if (!isNoJson(error) && !(error instanceof WrongShape)) throw error;
    const lines = JSON.stringify({ mcp: { [toolsName]: opencodeEntry(entry) } }, null, 2);
    return plan(
      "unchanged",
      "no tools: this file is no plain JSON",
      add ? `Run: ${add}` : `Add to ${path}:\n${lines}`,
    );
  }
}

/** The settings file with our entry. Throws `NotJson` or `WrongShape` for a file that cannot be changed safely. */
function changedFile(
  cli: Cli,
  path: string,
  entry: ToolEntry,
): FileWrite & { readonly edits: readonly Edit[]; readonly created: boolean } {
  const file = fileState(path);
  // The other spelling of the file counts too, and may have comments.
  if (file.text === null && existsSync(`${path}c`))
    throw new WrongShape("stands beside one with comments");
  const restore = restoreOf(cli, path, file.text ?? "");
  const draft = draftOf(undone(file.text ?? "", restore?.edits ?? []));
  if (draft.text.trim() === "") rewrite(draft, "{}\n");
  fits(draft.text, { mcp: { kind: "object", inside: {} } });
  const has = (...way: string[]) => nodeAt(jsonTree(draft.text), way) !== null;
  const value = opencodeEntry(entry);
  if (has("mcp", toolsName)) replace(draft, ["mcp", toolsName], value);
  else if (has("mcp")) append(draft, ["mcp"], toolsName, value);
  else append(draft, [], "mcp", { [toolsName]: value });
  const created = restore?.created ?? file.text === null;
  return { file, text: draft.text, edits: draft.edits, created };
}

/** Gives the harnesses our tools, by their own commands where they have some. */
export async function applyTools(cli: Cli, plans: readonly ToolsPlan[]): Promise<void> {
  for (const plan of plans.filter(({ change }) => change.action !== "unchanged")) {
    const { profile, change, entry } = plan;
    const { commands } = toolSettings(profile);
    if (commands === null) {
      const { path } = change;
      const write = changedFile(cli, path, entry);
      const { edits, text, created } = write;
      remember(cli, recordOf(plan), [{ path, edits, sha256: sha256(text), created }]);
      writeFiles([write]);
    } else {
      if (change.action === "update") await run(cli, profile, commands.remove);
      await run(cli, profile, commands.add(entry));
      remember(cli, recordOf(plan), []);
    }
  }
}

async function run(cli: Cli, { name }: HarnessProfile, command: readonly string[]): Promise<void> {
  const said = await outputOf(cli, command);
  if (said?.code === 0) return;
  throw new LocalError(
    "harness_unavailable",
    `${name} did not change its tools: \`${command.map(shellWord).join(" ")}\` failed.`,
    "Run that command yourself to see what it says. Everything else is written.",
  );
}

const recordOf = ({ profile, change, entry }: ToolsPlan): InstallRecord => ({
  path: change.path,
  harness: profile.harness,
  scope: "global",
  kind: "mcp",
  version: buildInfo.version,
  sha256: digestOf(entry),
});

function remember(cli: Cli, record: InstallRecord, restores: readonly RestoreRecord[]): void {
  cli.learned.change(manifestFile(cli.folders), emptyManifest, (manifest) => ({
    ...manifest,
    installs: [...manifest.installs.filter((one) => !isSame(one, record)), record],
    restores: [...manifest.restores.filter(({ path }) => path !== record.path), ...restores],
  }));
}

const isSame = (one: InstallRecord, other: InstallRecord): boolean =>
  one.path === other.path && one.kind === other.kind;

/** Takes our tools out of the harnesses, or only says what it would do. Tools that somebody changed since stay. */
export async function removeTools(cli: Cli, applied: boolean): Promise<Removal[]> {
  const removals: Removal[] = [];
  for (const record of readManifest(cli).installs.filter(({ kind }) => kind === "mcp")) {
    const profile = profileOf(record.harness);
    if (!profile) continue;
    // What cannot be read was edited since, and may still have our entry.
    const found = await toolSettings(profile)
      .current(cli)
      .catch(() => "unreadable" as const);
    if (found === null) continue;
    const isOurs = found !== "unreadable" && digestOf(found) === record.sha256;
    const { path, harness, scope, kind, version } = record;
    removals.push({
      path,
      harness,
      scope,
      kind,
      written_by: version,
      action: isOurs ? "edit" : "keep",
      reason: isOurs ? null : "edited",
    });
    if (applied && isOurs) await removeOne(cli, profile, path);
  }
  return removals;
}

async function removeOne(cli: Cli, profile: HarnessProfile, path: string): Promise<void> {
  const { commands } = toolSettings(profile);
  if (commands !== null) return run(cli, profile, commands.remove);
  const file = fileState(path);
  const restore = restoreOf(cli, path, file.text ?? "");
  if (restore?.created) return rmSync(file.target);
  if (restore) return writeFiles([{ file, text: undone(file.text ?? "", restore.edits) }]);
  const draft = draftOf(file.text ?? "{}");
  removeMember(draft, ["mcp"], toolsName);
  removeEmpty(draft, [], "mcp");
  writeFiles([{ file, text: draft.text }]);
}

/** How a file was before our entry, if nobody changed it since. */
const restoreOf = (cli: Cli, path: string, text: string): RestoreRecord | undefined =>
  readManifest(cli).restores.find((one) => one.path === path && one.sha256 === sha256(text));
