import { buildInfo, isOlder } from "../../client/build-info.ts";
import { recordedDaemonBuild } from "../../client/machine/daemon-files.ts";
import {
  answerOn,
  connectToDaemon,
  type DaemonConnection,
} from "../../client/machine/daemon-client.ts";
import type { DaemonAnswer, DaemonRequest } from "../../client/machine/daemon-wire.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Cli } from "../frame/cli.ts";

type Run = Pick<Cli, "env" | "folders" | "system" | "clock">;

/** Connects to the daemon, starts it if none listens and it may be started, and replaces one of an older build. */
export async function connectedDaemon(
  run: Run,
  mayStart: () => Promise<boolean> = async () => true,
): Promise<DaemonConnection> {
  // Most requests meet a daemon of this build, and a hook is to be quick.
  if (isOlder(recordedDaemonBuild(run.folders), buildInfo))
    await (await import("./own-daemon.ts")).replaceOlderDaemon(run);
  try {
    return await connectToDaemon(run);
  } catch (error) {
    if (!isNotRunning(error) || !(await mayStart())) throw error;
    await (await import("./own-daemon.ts")).ensureDaemon(run);
    return connectToDaemon(run);
  }
}

/** Makes a request as `askOwnDaemon` does, and makes it again if the daemon ends before it answers. For what does no harm twice. */
export const askOwnDaemonTwice = (...request: Parameters<typeof askOwnDaemon>) =>
  askOwnDaemon(...request).catch((error: unknown) => {
    if (isNotRunning(error)) return askOwnDaemon(...request);
    throw error;
  });

/** Makes one request, and starts the daemon if none listens. It is sent once, also when its answer is lost. */
export async function askOwnDaemon(
  run: Run,
  request: DaemonRequest,
  waitMs = 5_000,
): Promise<DaemonAnswer> {
  const connection = await connectedDaemon(run);
  try {
    return await answerOn(connection, request, waitMs);
  } finally {
    connection.close();
  }
}

/** Whether an error says that no daemon listens, or that it ended before it answered. */
export const isNotRunning = (error: unknown): boolean =>
  error instanceof LocalError && error.code === "daemon_not_running";
