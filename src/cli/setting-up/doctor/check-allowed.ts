import { readdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { HarnessProfile, InstallItem } from "../../../client/harnesses/profile.ts";
import { allowRule, rulesIn } from "../entries/allow-rule.ts";
import { fine, warning, type Check } from "./check.ts";
import { textIfReadable } from "../settings-files/file-state.ts";
import { NotJson } from "../settings-files/json-tree.ts";
import type { SetupState } from "../entries/setup-types.ts";
import { hooksPath } from "../entries/two-scopes.ts";

/** Whether sessions may run this program without a question. Only where they cannot reach us otherwise, it is a warning. */
export function checkAllowed(state: SetupState, profile: HarnessProfile): Check[] {
  const item = profile.install.find(({ kind }) => kind === "allow-rule");
  if (item?.kind !== "allow-rule") return [];
  const name = `${profile.checkName}_allow`;
  if (isAllowed(state, profile, item))
    return [fine(name, `Sessions of ${profile.name} may run this program.`)];
  if (!item.required)
    return [
      fine(
        name,
        `Sessions of ${profile.name} ask before they run this program; \`service init --allow-commands\` changes that.`,
      ),
    ];
  return [
    warning({
      name,
      code: `${profile.checkName}_service_not_allowed`,
      message: `No rule lets sessions of ${profile.name} run this program. ${item.required}`,
      fix: "`service init --yes --allow-commands`",
    }),
  ];
}

/** Whether a rule that lets sessions run this program stands in any file that the harness reads, whoever wrote it there. */
export function isAllowed(
  state: SetupState,
  profile: HarnessProfile,
  item: Extract<InstallItem, { kind: "allow-rule" }>,
): boolean {
  const rule = allowRule(item, state.program);
  const places = (["global", "project"] as const).map((scope) =>
    item.places ? state.place(profile, item, scope) : hooksPath(state, profile, scope),
  );
  const texts = places.flatMap((path) => (path === null ? [] : textsAt(state, path, !item.places)));
  return rule !== null && texts.includes(rule);
}

/** The rules in a settings file, or the lines of every file of that kind in the folder. */
function textsAt(state: SetupState, path: string, isSettings: boolean): unknown[] {
  if (!isSettings)
    return filesLike(path).flatMap((one) => (textIfReadable(state.file, one) ?? "").split("\n"));
  try {
    return rulesIn(textIfReadable(state.file, path) ?? "{}");
  } catch (error) {
    if (error instanceof NotJson) return [];
    throw error;
  }
}

function filesLike(path: string): string[] {
  const folder = dirname(path);
  try {
    const names = readdirSync(folder).filter((name) => extname(name) === extname(path));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}
