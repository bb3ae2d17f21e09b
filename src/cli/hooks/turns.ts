import { DaemonRefusal } from "../../client/machine/daemon-client.ts";
import { handoffIn, type DaemonRequest } from "../../client/machine/daemon-wire.ts";
import { ask, contextOf, take, turnOf, type Taken } from "./ask.ts";
import { planIn } from "./plan-in.ts";
import { textIn } from "./hook-input.ts";
import { outputFor, type Hook, type HookOutput } from "./hook.ts";

/** The request that tells the daemon of the session. */
export function registering({ input }: Hook): DaemonRequest {
  const told = textIn(input, "source");
  const source = (["startup", "resume", "clear", "compact"] as const).find((one) => one === told);
  return { op: "register", cwd: textIn(input, "cwd"), ...(source !== undefined && { source }) };
}

/** A turn begins. */
export async function turnStart(hook: Hook): Promise<HookOutput> {
  const handoff = handoffIn(textIn(hook.input, "prompt"));
  const request: DaemonRequest = {
    op: "turn_start",
    ...turnOf(hook),
    ...(handoff !== null && { handoff_id: handoff }),
  };
  return adding(hook, await take(hook, request).catch(registeredFirst(hook, request)));
}

/** A session that was open before the hooks were installed had no session-start hook. From its next turn on it is known. */
const registeredFirst = (hook: Hook, request: DaemonRequest) => async (error: unknown) => {
  if (!(error instanceof DaemonRefusal && error.code === "session_unknown")) throw error;
  await ask(hook, { op: "register", cwd: textIn(hook.input, "cwd") });
  return take(hook, request);
};

/** The turn is about to run a tool, or has run some. It takes what the daemon adds. */
export const boundary = async (
  hook: Hook,
  at: NonNullable<DaemonRequest["at"]>,
): Promise<HookOutput> => adding(hook, await take(hook, { op: "boundary", at, ...turnOf(hook) }));

/** Tools have run. If they changed the agent's list of work, its status line follows. */
export async function afterTools(hook: Hook): Promise<HookOutput> {
  const output = await boundary(hook, "after_tools");
  const plan = planIn(hook.input);
  // What the daemon adds to the turn counts more than the line.
  if (plan !== null) await ask(hook, { op: "plan", plan }).catch(() => {});
  return output;
}

/** The turn ends, unless the daemon has a bundle for it. */
export const turnEnd = async (hook: Hook): Promise<HookOutput> =>
  adding(hook, await take(hook, { op: "turn_end", takes_bundle: true, ...turnOf(hook) }));

/** The turn ended without an answer. */
export async function turnFailed(hook: Hook): Promise<HookOutput> {
  await ask(hook, { op: "turn_end", failed: true, ...turnOf(hook) });
  return {};
}

/** The session ends. */
export async function sessionEnd(hook: Hook): Promise<HookOutput> {
  await ask(hook, { op: "end" });
  return {};
}

/** The hook's answer with what the daemon adds to the turn. */
export function adding(hook: Hook, { answer, printed }: Taken): HookOutput {
  const context = contextOf(answer);
  if (context === null) return {};
  const event = textIn(hook.input, "hook_event_name");
  return { ...outputFor(event, { additionalContext: context }), printed };
}
