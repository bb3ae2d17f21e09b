import type { DaemonConnection } from "../../client/machine/daemon-client.ts";
import { isNotRunning, withNextDaemon } from "../local-daemon/ask-daemon.ts";
import { aboutSession, daemonOf, turnOf } from "./ask.ts";
import type { Hook } from "./hook.ts";

/** The harness ends the hook after 60 seconds. */
const longestWaitMs = 55_000;
/** How often a daemon may go away while the hook waits. */
const mostDaemons = 3;

/** Waits at the daemon for the bundle that the bell was rung for. Null if there is nothing to hand. */
export async function answerBell(hook: Hook): Promise<string | null> {
  const end = hook.clock.elapsed() + longestWaitMs;
  for (let gone = 0; ; gone++)
    try {
      return await withNextDaemon(hook, async () =>
        waited(hook, await daemonOf(hook), end, gone > 0),
      );
    } catch (error) {
      if (!isNotRunning(error) || hook.clock.elapsed() >= end || gone >= mostDaemons) throw error;
    }
}

async function waited(
  hook: Hook,
  connection: DaemonConnection,
  end: number,
  resumed: boolean,
): Promise<string | null> {
  const cancel = hook.clock.after(end - hook.clock.elapsed(), () => connection.close());
  try {
    connection.send(
      aboutSession(hook, { op: "wait", ...turnOf(hook), ...(resumed && { resumed }) }),
    );
    for (;;) {
      const { event, bundle, handoff_id } = await connection.next();
      if (event === "release") return null;
      if (event !== "deliver" || !bundle || !handoff_id) continue;
      connection.send(aboutSession(hook, { op: "received", handoff_id }));
      return bundle;
    }
  } finally {
    cancel();
    connection.close();
  }
}
