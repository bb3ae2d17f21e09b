import { isAbsolute, join } from "node:path";
import { LocalError } from "./local-error.ts";
import type { Folders, Machine } from "./machine.ts";

/** The base folders: below SERVICE_HOME, else where the XDG variables say. A relative SERVICE_HOME is refused. */
export function foldersOf({ env, system }: Pick<Machine, "env" | "system">): Folders {
  const home = env["SERVICE_HOME"];
  if (home) {
    if (!isAbsolute(home))
      throw new LocalError(
        "invalid_request",
        `SERVICE_HOME is not an absolute path: ${home}.`,
        "Set it to a path that begins with `/`, or unset it.",
      );
    return { config: join(home, "config"), data: join(home, "data"), state: join(home, "state") };
  }
  const base = (variable: string, fallback: string) => {
    const folder = env[variable];
    const parent =
      folder && isAbsolute(folder) ? folder : join(env["HOME"] || system.homeFolder(), fallback);
    return join(parent, "service");
  };
  return {
    config: base("XDG_CONFIG_HOME", ".config"),
    data: base("XDG_DATA_HOME", ".local/share"),
    state: base("XDG_STATE_HOME", ".local/state"),
  };
}
