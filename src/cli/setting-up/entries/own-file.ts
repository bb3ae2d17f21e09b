import { builtInFile } from "../../../client/harnesses/built-in-files.ts";
import type { InstallItem } from "../../../client/harnesses/profile.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import type { PartKind } from "./manifest.ts";
import { skillMark } from "./skill.ts";

const ownRule = /^prefix_rule\(pattern=\[.*(?:service[\w.-]*|main\.ts)"\], decision="allow"\)$/;

/** Whether a file that nobody recorded is one that this program wrote, by another version or before its records were lost. */
export function isOurs(kind: PartKind, found: string, wanted: string): boolean {
  if (kind === "skill") return found.startsWith(skillMark);
  if (kind === "permissions")
    return found.split("\n").every((line) => line.trim() === "" || ownRule.test(line));
  const beginning = (text: string) => text.split("\n").slice(0, 2).join("\n");
  return beginning(found) === beginning(wanted);
}

/** Whether a skill or an extension is one that this program wrote, in whichever version and for whichever path. */
export const isOwnFile = (
  item: Extract<InstallItem, { kind: "skill" | "file" }>,
  found: string,
): boolean =>
  isOurs(item.kind, found, item.kind === "file" ? builtInFile(item.source, { program: "" })! : "");

/** The error for a file of somebody else that stands where ours belongs. */
export const foreignFile = (path: string): LocalError =>
  new LocalError(
    "settings_foreign",
    `${path} is not a file of this program, so it is not replaced. Nothing was changed.`,
    "Move that file away; then run this command again.",
  );
