import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { globalPath } from "../../client/machine/harness-files.ts";
import { textIn } from "./hook-input.ts";
import type { Hook } from "./hook.ts";

/**
 * Whether our hooks stand in no settings of the session's harness any more, neither the whole user's nor those of a folder that
 * the session works in. A session that is open goes on to run the hooks that it began with; whoever uninstalled us meanwhile
 * does not want the daemon back.
 */
export function isTakenOut(hook: Hook): boolean {
  const { profile, input, cwd } = hook;
  const item = profile.install.find(({ kind }) => kind === "hooks");
  if (item?.kind !== "hooks") return false;
  const files = [globalPath(hook, profile, item.global)];
  for (let at = textIn(input, "cwd") || cwd; item.project; at = dirname(at)) {
    files.push(join(at, item.project));
    if (at === dirname(at)) break;
  }
  return !files.some((file) => namesHook(file, profile.harness));
}

function namesHook(file: string, harness: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(` hook ${harness} `);
  } catch (error) {
    // What cannot be read may name it.
    return !["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}
