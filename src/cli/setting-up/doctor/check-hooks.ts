import { realpathSync } from "node:fs";
import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import type { Cli } from "../../frame/cli.ts";
import { failure, fine, warning, type Check } from "./check.ts";
import { foreignCommands, leadsOut } from "../entries/foreign-hooks.ts";
import {
  bare,
  digestOfHooks,
  hasHooks,
  hooksFor,
  hooksShape,
  ownHooksIn,
} from "../entries/hook-entries.ts";
import { recordOf, type Scope } from "../entries/manifest.ts";
import { fits, WrongShape } from "../entries/settings-shape.ts";
import type { SetupState } from "../entries/setup-types.ts";
import { hooksPath } from "../entries/two-scopes.ts";

const again = "`service init --yes`";

/** The hooks of a harness in both scopes. Nothing for a harness that has none. */
export function checkHooks(cli: Cli, state: SetupState, profile: HarnessProfile): Check[] {
  const name = `${profile.checkName}_hooks`;
  const item = profile.install.find(({ kind }) => kind === "hooks");
  if (item?.kind !== "hooks") return [];
  const found = (["global", "project"] as const).map((scope) =>
    checkScope(cli, state, profile, scope),
  );
  const checks = found.flatMap((one) => one.checks);
  const places = found.flatMap(({ path, isThere }) => (isThere ? [path] : []));
  const version = state.versions[profile.harness] ?? null;
  const { lost } = hooksFor(profile, version, state.program.hookStart);
  if (new Set(places).size > 1)
    checks.push(
      warning({
        name,
        code: "hooks_in_both_scopes",
        message: `Hooks of ours stand in ${places.join(" and in ")}: with both, some run twice.`,
        fix: "Take one of them out: `service uninstall` in this folder takes both, then `service init` writes one.",
      }),
    );
  if (places.length === 0 && !checks.some(({ level }) => level !== "ok"))
    checks.push({
      name,
      level: item.missing.level,
      code: `${profile.checkName}_hooks_missing`,
      message: `${profile.name} has no hooks of ours. ${item.missing.effect}`,
      fix: again,
    });
  if (places.length > 0 && version !== null && lost.length > 0)
    checks.push(
      warning({
        name,
        code: `${profile.checkName}_hooks_unsupported`,
        message: `This version does not know ${lost.map(({ event, without }) => `${event} (${without})`).join(", ")}.`,
        fix: `Update ${profile.name}, then ${again}.`,
      }),
    );
  return checks;
}

function checkScope(
  cli: Cli,
  state: SetupState,
  profile: HarnessProfile,
  scope: Scope,
): { readonly path: string; readonly isThere: boolean; readonly checks: Check[] } {
  const name = `${profile.checkName}_hooks`;
  const path = hooksPath(state, profile, scope)!;
  const none = { path, isThere: false, checks: [] as Check[] };
  // In the home folder both scopes may name one file.
  if (scope === "project" && path === hooksPath(state, profile, "global")) return none;
  const { text } = state.file(path);
  if (text === null || text.trim() === "") return none;
  const wrong = shapeOf(path, text);
  if (wrong) return { ...none, checks: [failure({ name, ...wrong })] };
  const own = ownHooksIn(text, profile.harness);
  if (own.length === 0) return none;
  const record = recordOf(state.manifest, path, "hooks");
  const foreign = foreignCommands(text, profile, state.program);
  if (scope === "project" && !record && foreign.length > 0)
    return { ...none, checks: [foreignFinding(name, path, foreign)] };
  if (scope === "project" && leadsOut(realpathSync(cli.cwd), path))
    return { ...none, checks: [linkFinding(name, path)] };
  const version = state.versions[profile.harness] ?? null;
  const { hooks } = hooksFor(profile, version, state.program.hookStart);
  if (hasHooks(text, profile.harness, hooks))
    return { path, isThere: true, checks: [fine(name, `${path}: ${hooks.length} hooks.`)] };
  const isEdited = record !== undefined && digestOfHooks(own.map(bare)) !== record.sha256;
  const elsewhere = foreign.length > 0 ? ` They run ${foreign[0]}.` : "";
  const finding = isEdited
    ? {
        code: "hooks_edited" as const,
        message: `${path}: our hooks were edited since ${record.version} wrote them.`,
      }
    : {
        code: "hooks_outdated" as const,
        message: `${path}: our hooks are not those of this program.${elsewhere}`,
      };
  const fix = scope === "project" ? "`service init --yes --scope project`" : again;
  return { path, isThere: true, checks: [warning({ name, ...finding, fix })] };
}

function shapeOf(path: string, text: string) {
  try {
    fits(text, hooksShape([]));
    return null;
  } catch (error) {
    if (!(error instanceof WrongShape)) throw error;
    return {
      code: "settings_broken" as const,
      message: `${path} ${error.message}. The harness reads none of it, so no hook runs.`,
      fix: `Repair that file, then ${again}.`,
    };
  }
}

const foreignFinding = (name: string, path: string, commands: readonly string[]): Check =>
  failure({
    name,
    code: "hooks_foreign",
    message: `${path} has hooks that look like ours and run another program: ${commands.join("; ")}. They may have come with the project.`,
    fix: "If you do not know that program, take these hooks out of that file.",
  });

const linkFinding = (name: string, path: string): Check =>
  failure({
    name,
    code: "hooks_foreign",
    message: `${path} leads out of the project over a link, so what it says counts elsewhere too.`,
    fix: "Put a file of the project in the link's place, then `service init --yes --scope project`.",
  });
