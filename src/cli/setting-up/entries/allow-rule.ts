import type { HarnessProfile, InstallItem } from "../../../client/harnesses/profile.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import { append, remove, type Draft } from "../settings-files/json-edits.ts";
import { jsonTree, nodeAt } from "../settings-files/json-tree.ts";
import type { OwnProgram } from "./own-program.ts";
import { removeEmpty } from "./hook-entries.ts";
import { fits, type Shape } from "./settings-shape.ts";

type Rule = Extract<InstallItem, { kind: "allow-rule" }>;

/** The rule that lets sessions of a harness run this program, or why its syntax cannot hold this program's path. */
export function allowRule({ rule }: Rule, { words, text }: OwnProgram): string | null {
  // A list of words takes any text in quotes.
  if (rule.includes("{words}"))
    return words.some((word) => /[\u0000-\u001f\u007f]/.test(word))
      ? null
      : rule.replace("{words}", () => JSON.stringify(words));
  return words.every((word) => /^[\w@%+=./-]+$/.test(word))
    ? rule.replace("{program}", () => text)
    : null;
}

/** The error for a path that a rule cannot hold. */
export const noRule = ({ name }: HarnessProfile, { text }: OwnProgram): LocalError =>
  new LocalError(
    "invalid_request",
    `A rule of ${name} cannot name this program, because its path has characters that mean something there: ${text}`,
    "Move the program to a path of letters, digits and `-._/`, or leave out `--allow-commands`.",
  );

export const allowShape: Shape = {
  permissions: { kind: "object", inside: { allow: { kind: "array" } } },
};

/** The rules in `permissions.allow` of a settings file. */
export const rulesIn = (text: string): unknown[] => {
  const allowed = nodeAt(jsonTree(text), ["permissions", "allow"])?.value;
  return Array.isArray(allowed) ? allowed : [];
};

/** Adds a rule at the end of `permissions.allow`, unless it is there. */
export function addRule(draft: Draft, rule: string): void {
  fits(draft.text, allowShape);
  if (rulesIn(draft.text).includes(rule)) return;
  const has = (...way: string[]) => nodeAt(jsonTree(draft.text), way) !== null;
  if (!has("permissions")) append(draft, [], "permissions", { allow: [rule] });
  else if (!has("permissions", "allow")) append(draft, ["permissions"], "allow", [rule]);
  else append(draft, ["permissions", "allow"], null, rule);
}

/** Takes a rule out of `permissions.allow`, and what is empty without it. */
export function removeRule(draft: Draft, rule: string): void {
  const index = rulesIn(draft.text).lastIndexOf(rule);
  if (index === -1) return;
  remove(draft, ["permissions", "allow"], index);
  removeEmpty(draft, ["permissions"], "allow");
  removeEmpty(draft, [], "permissions");
}
