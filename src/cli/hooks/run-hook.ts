import { profileOf } from "../../client/harnesses/index.ts";
import type { HookRun } from "../../client/harnesses/profile.ts";
import { foldersOf } from "../../client/machine/folders.ts";
import type { Surroundings } from "../frame/surroundings.ts";
import { isNotRunning } from "../local-daemon/ask-daemon.ts";
import { HookFailed, readHookInput, sessionIn, textIn } from "./hook-input.ts";
import type { HookOutput, HookRuns } from "./hook.ts";

/** The hooks of each harness, loaded when one runs. */
const runsOf: Readonly<Record<string, () => Promise<HookRuns>>> = {
  "claude-code": async () => (await import("./claude-code.ts")).claudeCodeRuns,
  codex: async () => (await import("./codex.ts")).codexRuns,
};

/**
 * Runs `service hook <harness> <run>`: a harness starts it, with what happened on stdin. It talks to the daemon alone. The exit
 * code is 0 whatever goes wrong, so that a broken daemon blocks no session, and 2 only with a bundle that wakes one.
 */
export async function runHook(words: readonly string[], given: Surroundings): Promise<number> {
  try {
    const { stdout, stderr, exitCode = 0, printed } = await outputOf(words, given);
    if (stdout) await given.stdout.write(`${JSON.stringify(stdout)}\n`);
    if (stderr) await given.stderr.write(stderr);
    printed?.();
    return exitCode;
  } catch (error) {
    const text = error instanceof Error ? error.message : "it failed";
    given.stderr.writeNow(`service hook: ${text.replace(/\s+/g, " ")}\n`);
    return 0;
  }
}

async function outputOf(words: readonly string[], given: Surroundings): Promise<HookOutput> {
  const [harness = "", run = ""] = words;
  const profile = profileOf(harness);
  const runs = await runsOf[harness]?.();
  const act = runs?.[run as HookRun];
  if (!profile || !act) throw new HookFailed(`this build has no hook ${run} of ${harness}`);
  const input = await readHookInput(given.stdin);
  // A subagent has no seat. Its hooks take nothing and change nothing, but for the mark that its commands get.
  const subagent = textIn(input, profile.lifecycle.subagentField ?? "");
  if (subagent !== "" && run !== "before-tool") return {};
  const session = sessionIn(input);
  const hook = { ...given, folders: foldersOf(given), profile, input, session, subagent };
  try {
    return await act(hook);
  } catch (error) {
    if (!isNotRunning(error) || !(await import("./taken-out.ts")).isTakenOut(hook)) throw error;
    return {};
  }
}
