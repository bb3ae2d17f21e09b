import { buildInfo, isOlder } from "../../client/build-info.ts";
import { recordedDaemonBuild } from "../../client/machine/daemon-files.ts";
import {
  answerOn,
  connectToDaemon,
  DaemonRefusal,
  type DaemonConnection,
} from "../../client/machine/daemon-client.ts";
import type { DaemonAnswer, DaemonRequest } from "../../client/machine/daemon-wire.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Cli } from "../frame/cli.ts";

type Run = Pick<Cli, "env" | "folders" | "system" | "clock">;

/** How long somebody waits for the end of a daemon that stops. It does nothing more of what it is asked. */
const longestStopMs = 4_000;
const stepMs = 25;

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

/** Does something with the daemon. If that one is stopping, it is done with the next one. */
export async function withNextDaemon<T>(
  { clock }: Pick<Run, "clock">,
  act: () => Promise<T>,
): Promise<T> {
  for (const end = clock.elapsed() + longestStopMs; ;)
    try {
      return await act();
    } catch (error) {
      const isStopping = error instanceof DaemonRefusal && error.code === "daemon_not_running";
      if (!isStopping || clock.elapsed() >= end) throw error;
      await clock.sleep(stepMs);
    }
}

/** Makes a request as `askOwnDaemon` does, and makes it again if the daemon ends before it answers. For what does no harm twice. */
export const askOwnDaemonTwice = (...request: Parameters<typeof askOwnDaemon>) =>
  askOwnDaemon(...request).catch((error: unknown) => {
    if (isNotRunning(error)) return askOwnDaemon(...request);
    throw error;
  });

/** Makes one request, and starts the daemon if none listens. It is done once, also when its answer is lost. */
export const askOwnDaemon = (
  run: Run,
  request: DaemonRequest,
  waitMs = 5_000,
): Promise<DaemonAnswer> => withNextDaemon(run, () => askOnce(run, request, waitMs));

async function askOnce(run: Run, request: DaemonRequest, waitMs: number): Promise<DaemonAnswer> {
  const connection = await connectedDaemon(run);
  try {
    return await answerOn(connection, request, waitMs);
  } catch (error) {
    throw isTooOld(run, request, error) ? outdated(request) : error;
  } finally {
    connection.close();
  }
}

/** Whether a daemon does not know an operation because it is of an older build, which could not be replaced. */
const isTooOld = ({ folders }: Run, { op }: DaemonRequest, error: unknown): boolean =>
  error instanceof DaemonRefusal &&
  error.code === "invalid_request" &&
  error.message.includes(` operation ${op}`) &&
  isOlder(recordedDaemonBuild(folders), buildInfo);

const outdated = ({ op }: DaemonRequest) =>
  new LocalError(
    "daemon_outdated",
    `The delivery daemon that runs is of an older build, which does not know ${op}, and this command may not replace it.`,
    "Run `service down` in a terminal. The next command or hook starts the new one, and nothing that waits is lost.",
  );

/** Whether an error says that no daemon listens, or that it ended before it answered. */
export const isNotRunning = (error: unknown): boolean =>
  error instanceof LocalError && error.code === "daemon_not_running";
