import { answerOn, type DaemonConnection } from "../../client/machine/daemon-client.ts";
import type { DaemonAnswer, DaemonRequest } from "../../client/machine/daemon-wire.ts";
import { configDirOf } from "../../client/machine/harness.ts";
import { connectedDaemon, withNextDaemon } from "../local-daemon/ask-daemon.ts";
import { textIn } from "./hook-input.ts";
import type { Hook } from "./hook.ts";
import { sessionProcess } from "./session-process.ts";

/** A daemon that is slower than this is broken, and the session goes on without it. */
const answerMs = 4_000;

/** Connects to the daemon, and starts it unless our hooks were taken out of the settings while the session is open. */
export const daemonOf = (hook: Hook): Promise<DaemonConnection> =>
  connectedDaemon(hook, async () => !(await import("./taken-out.ts")).isTakenOut(hook));

/** Makes one request about the session of the hook. */
export const ask = (hook: Hook, request: DaemonRequest): Promise<DaemonAnswer> =>
  withNextDaemon(hook, () => askOnce(hook, request));

async function askOnce(hook: Hook, request: DaemonRequest): Promise<DaemonAnswer> {
  const connection = await daemonOf(hook);
  try {
    return await answerOn(connection, aboutSession(hook, request), answerMs);
  } finally {
    connection.close();
  }
}

/** An answer for the session, and what tells the daemon that the harness has it. */
export interface Taken {
  readonly answer: DaemonAnswer;
  readonly printed?: () => void;
}

/** Makes one request whose answer may hold messages. The daemon takes them back if the hook ends before it has printed them. */
export const take = (hook: Hook, request: DaemonRequest): Promise<Taken> =>
  withNextDaemon(hook, () => takeOnce(hook, request));

async function takeOnce(hook: Hook, request: DaemonRequest): Promise<Taken> {
  const connection = await daemonOf(hook);
  let isKept = false;
  try {
    const asked = aboutSession(hook, { ...request, says_received: true });
    const answer = await answerOn(connection, asked, answerMs);
    const { handoff_id } = answer;
    if (handoff_id === undefined) return { answer };
    isKept = true;
    return {
      answer,
      printed() {
        connection.send(aboutSession(hook, { op: "received", handoff_id }));
        connection.close();
      },
    };
  } finally {
    if (!isKept) connection.close();
  }
}

/** A request with what the daemon is told about every session. */
export const aboutSession = (hook: Hook, request: DaemonRequest): DaemonRequest => ({
  harness: hook.profile.harness,
  session: hook.session,
  process: sessionProcess(hook),
  ...configDirOf(hook.profile, hook.env),
  // What was handed after this process started is not confirmed by this hook.
  started: new Date(hook.system.startedAt).toISOString(),
  ...request,
});

/** The harness's own id of the turn that the hook belongs to. Left out for a session without a turn. */
export function turnOf({ input }: Hook): Pick<DaemonRequest, "harness_turn"> {
  const turn = textIn(input, "prompt_id") || textIn(input, "turn_id");
  return turn === "" ? {} : { harness_turn: turn };
}

/** What the daemon adds to a turn, in the order in which the agent reads it, or null. */
export function contextOf({ nudge, bundle, notice }: DaemonAnswer): string | null {
  const parts = [nudge, bundle, notice].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? null : parts.join("\n\n");
}
