import { codexProfile } from "../../../client/harnesses/codex.ts";
import { LocalError, usageError } from "../../../client/machine/local-error.ts";
import type { Cli } from "../../frame/cli.ts";
import { confirmed } from "../../frame/questions.ts";
import { forgetHooks, listedHooks, trustHooks, withCodex, type ListedHook } from "./codex-app.ts";
import { hooksFor } from "./hook-entries.ts";
import { emptyManifest, manifestFile, readManifest } from "./manifest.ts";
import type { SetupState, Wishes } from "./setup-types.ts";

/** Refuses to trust hooks where Codex is not set up. */
export function refuseWithoutCodex({ profiles }: Wishes): void {
  if (profiles.includes(codexProfile)) return;
  throw usageError(
    "`--trust-hooks` is about Codex, and Codex is not among the harnesses that are set up.",
    "Add it: `service init --harness codex --trust-hooks`",
  );
}

/**
 * Tells Codex that the person trusts our hooks, which is only done when they ask for it by name. The commands are shown first;
 * hooks of others are never touched. Gives the keys of what was trusted now, and null when the person said no.
 */
export async function trustOwnHooks(
  cli: Cli,
  state: SetupState,
  asks: boolean,
): Promise<{ readonly trusted: readonly string[] | null; readonly text: string }> {
  const version = state.versions[codexProfile.harness] ?? null;
  const { hooks } = hooksFor(codexProfile, version, state.program.hookStart);
  const commands = new Set(hooks.map(({ entry }) => entry.command));
  const answer = await asked(cli, async (server) => {
    const untrusted = await untrustedIn(server, cli.cwd, commands);
    if (untrusted.length === 0) return { trusted: [], text: "Codex trusts our hooks already." };
    const list = `Codex will run these commands outside its sandbox:\n${commandsOf(untrusted)}`;
    if (asks && !(await cli.print(list))) return { trusted: null, text: "" };
    if (asks && !confirmed(cli, "Trust them?"))
      return { trusted: null, text: "The hooks are not trusted: `codex` asks at its next start." };
    await trustHooks(server, untrusted);
    const left = await untrustedIn(server, cli.cwd, commands);
    if (left.length > 0) throw new Error("it does not show them as trusted afterwards");
    const done = "Codex trusts our hooks now.";
    return { trusted: untrusted.map(({ key }) => key), text: asks ? done : `${list}\n${done}` };
  });
  if (answer.trusted && answer.trusted.length > 0) remember(cli, answer.trusted);
  return answer;
}

type Server = Parameters<Parameters<typeof withCodex>[1]>[0];

async function asked<T>(cli: Cli, work: (server: Server) => Promise<T>): Promise<T> {
  try {
    const answer = await withCodex(cli, work);
    if (answer !== null) return answer;
    throw new Error("`codex` is not on the PATH");
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw new LocalError(
      "harness_unavailable",
      `Codex could not be told to trust the hooks: ${(error as Error).message}. They are written all the same.`,
      "Start `codex`: it asks whether to trust them.",
    );
  }
}

async function untrustedIn(
  server: Server,
  cwd: string,
  commands: ReadonlySet<string>,
): Promise<ListedHook[]> {
  const { hooks } = await listedHooks(server, cwd);
  return hooks.filter((hook) => commands.has(hook.command) && hook.trustStatus !== "trusted");
}

const commandsOf = (hooks: readonly ListedHook[]): string =>
  [...new Set(hooks.map(({ command }) => `  ${command}`))].join("\n");

function remember(cli: Cli, keys: readonly string[]): void {
  const trusted = [...new Set([...(readManifest(cli).trusted ?? []), ...keys])];
  cli.learned.change(manifestFile(cli.folders), emptyManifest, (manifest) => ({
    ...manifest,
    trusted,
  }));
}

/** Takes back the trust that was given here. Gives a line for the person where Codex could not be asked. */
export async function untrust(cli: Cli): Promise<string[]> {
  const keys = readManifest(cli).trusted ?? [];
  if (keys.length === 0) return [];
  try {
    const done = await withCodex(cli, async (server) => {
      await forgetHooks(server, keys);
      return true;
    });
    if (done) return [];
  } catch {
    // What Codex keeps is a digest of hooks that are gone.
  }
  return [
    "Codex could not be asked to forget its trust in our hooks. It trusts none that is not there.",
  ];
}
