import { existsSync } from "node:fs";
import { join } from "node:path";
import { codexProfile } from "../../../client/harnesses/codex.ts";
import { configFolder } from "../../../client/machine/harness-files.ts";
import type { Cli } from "../../frame/cli.ts";
import { failure, fine, warning, type Check } from "./check.ts";
import { listedHooks, withCodex } from "../entries/codex-app.ts";
import { onPath, outputOf } from "../entries/harness-version.ts";
import type { SetupState } from "../entries/setup-types.ts";

/** What Codex alone can say: whether it has its queue, and whether the person trusts our hooks. */
export async function checkCodex(cli: Cli, state: SetupState): Promise<Check[]> {
  if (!onPath(cli, "codex")) return [];
  const [queue, trust] = await Promise.all([checkQueue(cli), checkTrust(cli, state)]);
  return [queue, ...trust];
}

async function checkQueue(cli: Cli): Promise<Check> {
  const said = await outputOf(cli, ["codex", "queue", "--help"]);
  if (said?.code === 0) return fine("codex", "It has the command `codex queue`.");
  return failure({
    name: "codex",
    code: "codex_queue_missing",
    message: "`codex queue` does not work, and messages reach its sessions by that queue.",
    fix: "Update Codex, then `service init --yes`.",
  });
}

async function checkTrust(cli: Cli, { program }: SetupState): Promise<Check[]> {
  const name = "codex_trust";
  // An app server would make all of Codex's own files in a folder in which it never ran.
  if (!existsSync(join(configFolder(cli, codexProfile), "installation_id")))
    return [
      warning({
        name,
        code: "codex_hooks_untrusted",
        message: "Codex was never started here, so nobody has trusted our hooks yet.",
        fix: "Start `codex`: it asks whether to trust them.",
      }),
    ];
  try {
    const listed = await withCodex(cli, (server) => listedHooks(server, cli.cwd));
    if (listed === null) throw new Error("it cannot be started");
    const ours = listed.hooks.filter(({ command }) =>
      command.startsWith(`${program.hookStart} hook codex `),
    );
    const untrusted = ours.filter(({ trustStatus }) => trustStatus !== "trusted");
    const warnings = listed.warnings.map((message) =>
      warning({
        name,
        code: "codex_hooks_warning",
        message: `Codex warns: ${message}`,
        fix: "Repair what it names, then start Codex anew.",
      }),
    );
    if (untrusted.length > 0)
      return [
        ...warnings,
        warning({
          name,
          code: "codex_hooks_untrusted",
          message: `Codex does not run ${untrusted.length} of our ${ours.length} hooks, because you have not trusted them yet.`,
          fix: "Start `codex` and trust them, or: `service init --trust-hooks`",
        }),
      ];
    const said =
      ours.length === 0
        ? "Codex knows no hooks of ours here."
        : `Codex trusts our ${ours.length} hooks.`;
    return [...warnings, fine(name, said)];
  } catch (error) {
    return [
      warning({
        name,
        code: "codex_trust_unknown",
        message: `Whether Codex trusts our hooks could not be asked: ${(error as Error).message}.`,
        fix: "Start `codex`: `/hooks` shows them.",
      }),
    ];
  }
}
