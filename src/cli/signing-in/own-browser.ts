import type { Cli } from "../frame/cli.ts";

/** The command that opens an address in the person's browser, or null where there is none. */
export function browserCommand({ env, system }: Cli): readonly string[] | null {
  const chosen = env["BROWSER"];
  if (chosen) return [chosen];
  if (system.platform === "darwin") return ["open"];
  // Without a display the system's opener starts a browser in the terminal, or nothing.
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open"] : null;
}
