import { textIfReadable } from "../settings-files/file-state.ts";
import { ownHooksIn } from "./hook-entries.ts";
import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import type { Scope } from "./manifest.ts";
import { isOwnFile } from "./own-file.ts";
import { WrongShape } from "./settings-shape.ts";
import { NotJson } from "../settings-files/json-tree.ts";
import type { SetupState, Wishes } from "./setup-types.ts";

/** Warns of hooks or an extension in the other scope too: some harnesses run them twice. */
export function bothScopes(state: SetupState, { scope, profiles }: Wishes): string[] {
  const other = scope === "global" ? "project" : "global";
  return profiles.flatMap((profile) =>
    profile.install.flatMap((item) => {
      if (item.kind !== "hooks" && item.kind !== "file") return [];
      const path = state.place(profile, item, other);
      // In the home folder both scopes may name one file.
      if (path === null || path === state.place(profile, item, scope)) return [];
      const text = textIfReadable(state.file, path);
      const isThere =
        item.kind === "hooks"
          ? hasOwnHooks(state, profile, path)
          : text !== null && isOwnFile(item, text);
      const what = item.kind === "hooks" ? "has hooks of ours too" : "is an extension of ours too";
      const happens = item.kind === "hooks" ? "some run twice" : "a session has two";
      if (!isThere) return [];
      return [`${profile.name}: ${path} ${what}. With both, ${happens}: keep one of them.`];
    }),
  );
}

/** The path of a harness's hooks in a scope, or null for a harness without hooks. */
export function hooksPath(
  state: Pick<SetupState, "place">,
  profile: HarnessProfile,
  scope: Scope,
): string | null {
  const item = profile.install.find(({ kind }) => kind === "hooks");
  return item ? state.place(profile, item, scope) : null;
}

/** Whether a file has hooks of ours, as far as it can be read. */
function hasOwnHooks(
  state: Pick<SetupState, "file">,
  { harness }: HarnessProfile,
  path: string,
): boolean {
  try {
    return ownHooksIn(textIfReadable(state.file, path) ?? "{}", harness).length > 0;
  } catch (error) {
    if (error instanceof NotJson || error instanceof WrongShape) return false;
    throw error;
  }
}
