import { profiles } from "../../../client/harnesses/index.ts";
import type { HarnessProfile } from "../../../client/harnesses/profile.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import type { Cli } from "../../frame/cli.ts";
import { checkAllowed } from "./check-allowed.ts";
import { checkHooks } from "./check-hooks.ts";
import { checkOwnFiles } from "./check-own-files.ts";
import { fine, refused, warning, type Check } from "./check.ts";
import { disabledHooks } from "./claude-settings.ts";
import { checkCodex } from "./check-codex.ts";
import { textIfReadable } from "../settings-files/file-state.ts";
import { onPath } from "../entries/harness-version.ts";
import { isDetected } from "../entries/places.ts";
import { setupState } from "../entries/setup-state.ts";
import type { SetupState } from "../entries/setup-types.ts";

/** Every harness that is used here: its version, and whether what `init` wrote is whole. */
export async function checkHarnesses(cli: Cli): Promise<Check[]> {
  const used = profiles
    .filter((profile) => isDetected(cli, profile))
    .sort((one, other) => (one.harness < other.harness ? -1 : 1));
  if (used.length === 0)
    return [
      warning({
        name: "harnesses",
        code: "no_harness_found",
        message:
          "Neither Claude Code nor Codex nor opencode is found here: no settings folder, and no program on the PATH.",
        fix: "Install one of them, then `service init`.",
      }),
    ];
  let state: SetupState;
  try {
    state = await setupState(cli, used);
  } catch (error) {
    return [refused("setup", error)];
  }
  const checks = used.map(async (profile) =>
    isLeftOut(state, profile)
      ? [checkVersion(cli, state, profile), leftOut(profile)]
      : checkHarness(cli, state, profile),
  );
  return (await Promise.all(checks)).flat();
}

async function checkHarness(
  cli: Cli,
  state: SetupState,
  profile: HarnessProfile,
): Promise<Check[]> {
  const { harness, checkName } = profile;
  return [
    checkVersion(cli, state, profile),
    ...guarded(`${checkName}_hooks`, () => checkHooks(cli, state, profile)),
    ...guarded(`${checkName}_skill`, () => checkOwnFiles(state, profile)),
    ...guarded(`${checkName}_allow`, () => checkAllowed(state, profile)),
    ...(harness === "claude-code" ? disabledHooks(cli) : []),
    ...(harness === "codex" ? await checkCodex(cli, state) : []),
  ];
}

/** Whether the person has set up other harnesses, and has nothing of ours in this one. */
function isLeftOut({ manifest, place, file }: SetupState, profile: HarnessProfile): boolean {
  const { installs } = manifest;
  if (installs.length === 0 || installs.some(({ harness }) => harness === profile.harness))
    return false;
  return profile.install.every((item) =>
    (["global", "project"] as const).every((scope) => {
      const path = item.kind === "skill" ? null : place(profile, item, scope);
      const text = path === null ? null : textIfReadable(file, path);
      return !text?.includes(` hook ${profile.harness} `);
    }),
  );
}

function leftOut({ name, checkName, harness, delivery }: HarnessProfile): Check {
  const part = delivery.hooks.length > 0 ? "hooks" : "extension";
  return warning({
    name: `${checkName}_${part}`,
    code: `${checkName}_${part}_missing`,
    message: `${name} is not set up: no message reaches its sessions.`,
    fix: `If agents of yours run in it: \`service init --yes --harness ${harness}\``,
  });
}

/** A file that cannot be read is a finding of the check that reads it. */
function guarded(name: string, check: () => Check[]): Check[] {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof LocalError)) throw error;
    return [refused(name, error)];
  }
}

/** Called by the harness's own name, and not by the one of its checks. */
const notInstalled = {
  claude: "claude_code_not_installed",
  codex: "codex_not_installed",
  opencode: "opencode_not_installed",
} as const;

function checkVersion(cli: Cli, { versions }: SetupState, profile: HarnessProfile): Check {
  const { harness, command, checkName, checks } = profile;
  const name = `${checkName}_version`;
  const version = versions[harness] ?? null;
  if (!onPath(cli, command))
    return warning({
      name,
      code: notInstalled[checkName],
      message: `\`${command}\` is not on the PATH, though its settings folder is here.`,
      fix: `Install ${profile.name}, or take our part out of its settings: \`service uninstall\``,
    });
  if (version === null)
    return warning({
      name,
      code: `${checkName}_version_unknown`,
      message: `\`${checks.installed.join(" ")}\` says no version that can be read, so ${checks.minVersion} is assumed.`,
      fix: `Run \`${checks.installed.join(" ")}\`, and repair what it complains about.`,
    });
  if (Bun.semver.order(version, checks.minVersion) < 0)
    return warning({
      name,
      code: `${checkName}_too_old`,
      message: `${profile.name} ${version} is older than ${checks.minVersion}, the first with which delivery works.`,
      fix: `Update ${profile.name}, then \`service init --yes\`.`,
    });
  const isNewer = Bun.semver.order(version, checks.proved) > 0;
  const tried = isNewer
    ? ` It is newer than ${checks.proved}, with which this program was tried.`
    : "";
  return fine(name, `${profile.name} ${version}.${tried}`);
}
