import { ask, turnOf } from "./ask.ts";
import { outputFor, type Hook, type HookOutput, type HookRuns } from "./hook.ts";
import { afterTools, registering, sessionEnd, turnStart } from "./turns.ts";

/** Codex's hooks. A subagent's tools run its session's hooks, and take nothing. */
export const codexRuns: HookRuns = {
  "session-start": startSession,
  prompt: turnStart,
  "before-tool": aroundTool,
  "after-tools": aroundTool,
  stop: endTurn,
  end: sessionEnd,
};

/** It runs with the first turn of a session, and not when its terminal opens. */
async function startSession(hook: Hook): Promise<HookOutput> {
  const { note } = await ask(hook, registering(hook));
  return note === undefined ? {} : outputFor("SessionStart", { additionalContext: note });
}

/**
 * One answer of the model may ask for several tools. So no tool proves that the model has read what was added during the
 * turn, whether it is about to run or has run.
 */
async function aroundTool(hook: Hook): Promise<HookOutput> {
  return hook.subagent === "" ? afterTools(hook) : {};
}

/** Codex shows nothing of ours at the end of a turn: it would escape the elements of a bundle. */
async function endTurn(hook: Hook): Promise<HookOutput> {
  await ask(hook, { op: "turn_end", ...turnOf(hook) });
  return {};
}
