import { profiles } from "../harnesses/index.ts";
import type { HarnessProfile } from "../harnesses/profile.ts";
import type { Env } from "./machine.ts";

const anySet = (env: Env, names: readonly string[]) => names.some((name) => env[name]);

/** A session of a harness: the harness's name and its own id of the session. */
export interface NamedSession {
  readonly harness: string;
  readonly session: string;
  /** The folder of the harness's settings, if the environment names it. */
  readonly config_dir?: string;
}

/** The session that a command runs in, as far as its environment says it. */
export function sessionOf(env: Env): NamedSession | null {
  const told = toldSession(env);
  for (const profile of profiles) {
    const { harness, identity } = profile;
    const own = identity.env && env[identity.env];
    if (own) return { harness, session: own, ...configDirOf(profile, env) };
    if (told?.harness === harness) return { ...told, ...configDirOf(profile, env) };
  }
  return told;
}

/** The folder of the harness's settings, if the environment names it. Else it is the usual one. */
export function configDirOf(
  { configDir }: HarnessProfile,
  env: Env,
): Pick<NamedSession, "config_dir"> {
  const folder = configDir.env && env[configDir.env];
  return folder ? { config_dir: folder } : {};
}

/** The session that a hook or an extension of ours has put into the environment. */
function toldSession(env: Env): NamedSession | null {
  const [, harness, session] =
    /^([a-z0-9][a-z0-9-]*):(.+)$/.exec(env["SERVICE_SESSION"] ?? "") ?? [];
  return harness && session ? { harness, session } : null;
}

/** The harness whose session the command runs in, or null in a plain terminal. */
export function harnessOf(env: Env): string | null {
  const marked = profiles.find(({ marks }) => anySet(env, [...marks.session, ...marks.sandbox]));
  return sessionOf(env)?.harness ?? marked?.harness ?? null;
}

/** Whether the command runs inside a session of a harness. */
export const inSession = (env: Env): boolean => harnessOf(env) !== null;

/** What tells whether a command runs in a sandbox. */
interface Run {
  readonly env: Env;
  readonly system: { opensSockets(): boolean };
}

/** Whether a sandbox keeps the command from every network. A command that a rule lets out of it has the same variables. */
export const networkBlocked = ({ env, system }: Run): boolean =>
  profiles.some(({ marks }) => anySet(env, marks.noNetwork)) && !system.opensSockets();

/** Whether the command runs in a sandbox. */
export const inSandbox = (run: Run): boolean =>
  networkBlocked(run) ||
  profiles.some(({ marks: { sandbox, noNetwork } }) =>
    anySet(
      run.env,
      sandbox.filter((name) => !noNetwork.includes(name)),
    ),
  );

/** Whether the command runs in a subagent, which has no seat of its own. */
export function inSubagent(env: Env): boolean {
  for (const { identity } of profiles) {
    const own = identity.ownEnv && env[identity.ownEnv];
    if (!own || !identity.env) continue;
    const root = env[identity.env];
    return root !== undefined && root !== own;
  }
  return Boolean(env["SERVICE_SUBAGENT"]);
}
