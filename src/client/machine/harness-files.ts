import { isAbsolute, join } from "node:path";
import type { HarnessProfile } from "../harnesses/profile.ts";
import type { Machine } from "./machine.ts";

type Home = Pick<Machine, "env" | "system">;

/** The person's home folder. */
export const homeFolder = ({ env, system }: Home): string => env["HOME"] || system.homeFolder();

/** The folder of a harness's settings. A relative path in a variable does not count. */
export function configFolder(
  machine: Home,
  { configDir }: Pick<HarnessProfile, "configDir">,
): string {
  const { env, xdg, default: fallback } = configDir;
  const named = env && machine.env[env];
  if (named && isAbsolute(named)) return named;
  const base = xdg && machine.env["XDG_CONFIG_HOME"];
  return xdg && base && isAbsolute(base) ? join(base, xdg) : join(homeFolder(machine), fallback);
}

/** Where a file of a harness lies for the whole user: `{config}` stands for its settings folder, else home does. */
export const globalPath = (
  machine: Home,
  profile: Pick<HarnessProfile, "configDir">,
  place: string,
): string =>
  place.startsWith("{config}/")
    ? join(configFolder(machine, profile), place.slice("{config}/".length))
    : join(homeFolder(machine), place);
