import { hostname } from "node:os";
import { longestName } from "../../contract/limits.ts";
import type { Machine } from "./machine.ts";
import { readText } from "./private-files.ts";

/** A text made into the form of handles and key names: lowercase words joined by dashes, at most 40. */
export function normalised(text: string): string {
  const dashed = text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return dashed.replace(/^-+/, "").slice(0, longestName).replace(/-+$/, "");
}

/** The handle that this person probably wants: the name they are logged in with. */
export const loginHandle = ({ env, system }: Pick<Machine, "env" | "system">): string =>
  normalised(env["USER"] || env["LOGNAME"] || accountName(system.userId)) || "human";

/** The name of a user's account; `os.userInfo` reads it from the environment, which did not have it. */
function accountName(userId: number | undefined): string {
  const id = String(userId);
  const lines = (readText("/etc/passwd") ?? "").split("\n").map((line) => line.split(":"));
  return lines.find(([, , account]) => account === id)?.[0] ?? "";
}

/** The name of a key made for this machine. */
export const machineName = (): string => normalised(hostname()) || "machine";
