import { appendFileSync } from "node:fs";
import { basename } from "node:path";
import { shellWord } from "../../contract/shell-word.ts";
import { bellFile } from "../../client/machine/daemon-files.ts";
import { createPrivate } from "../../client/machine/private-files.ts";
import { ask } from "./ask.ts";
import { answerBell } from "./bell.ts";
import { textIn } from "./hook-input.ts";
import { outputFor, type Hook, type HookOutput, type HookRuns } from "./hook.ts";
import {
  afterTools,
  boundary,
  registering,
  sessionEnd,
  turnEnd,
  turnFailed,
  turnStart,
} from "./turns.ts";

/** Claude Code's hooks. */
export const claudeCodeRuns: HookRuns = {
  "session-start": startSession,
  "folder-changed": async (hook) => watchBell(hook),
  bell: answerRing,
  prompt: turnStart,
  "before-tool": beforeTool,
  "after-tools": afterTools,
  stop: turnEnd,
  failed: turnFailed,
  end: sessionEnd,
};

const bellOf = ({ folders, profile, session }: Hook): string =>
  bellFile(folders, profile.harness, session);

/** Every event that may name files to watch replaces the whole list. So each of them names the bell. */
const watchBell = (hook: Hook, more: object = {}): HookOutput =>
  outputFor(textIn(hook.input, "hook_event_name"), { watchPaths: [bellOf(hook)], ...more });

async function startSession(hook: Hook): Promise<HookOutput> {
  // A file that is not there when the answer comes is not watched.
  createPrivate(bellOf(hook), "");
  const note = await register(hook).catch((error: unknown) => {
    hook.stderr.writeNow(`service hook: ${error instanceof Error ? error.message : "?"}\n`);
    return null;
  });
  return watchBell(hook, note === null ? {} : { additionalContext: note });
}

/** Tells the daemon of the session, and the session's commands what they run in. Gives the text for its context. */
async function register(hook: Hook): Promise<string | null> {
  const { boot, note = null } = await ask(hook, registering(hook));
  const file = hook.env[hook.profile.identity.envFile ?? ""];
  if (file && boot) appendFileSync(file, variables(hook, boot));
  return note;
}

/** Lines for the shell of each command. A session inside Codex would else be taken for Codex's. */
function variables({ env, profile, session }: Hook, boot: string): string {
  const outer = ["CODEX_THREAD_ID", "CODEX_SESSION_ID"].filter((name) => env[name] !== undefined);
  const { SERVICE_HOME: home } = env;
  const lines = [
    // The hook's own command names the home. Without it the session's commands would ask another daemon.
    ...(home ? [`export SERVICE_HOME=${shellWord(home)}`] : []),
    `export SERVICE_SESSION=${shellWord(`${profile.harness}:${session}`)}`,
    `export SERVICE_BOOT=${shellWord(boot)}`,
    ...(outer.length === 0 ? [] : [`unset ${outer.join(" ")}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** The hook runs for every watched file, and other tools may have theirs watched too. */
async function answerRing(hook: Hook): Promise<HookOutput> {
  const isOurs = basename(textIn(hook.input, "file_path")) === basename(bellOf(hook));
  const bundle = isOurs ? await answerBell(hook) : null;
  return bundle === null ? watchBell(hook) : { stderr: bundle, exitCode: 2 };
}

async function beforeTool(hook: Hook): Promise<HookOutput> {
  if (hook.subagent === "") return boundary(hook, "before_tool");
  const { markSubagent } = await import("./mark-subagent.ts");
  return markSubagent(hook);
}
