import { buildInfo, isOlder, type BuildInfo } from "../../client/build-info.ts";
import { LockHeld, takeLock } from "../../client/files/lock.ts";
import { askDaemon, DaemonRefusal } from "../../client/machine/daemon-client.ts";
import { daemonLog, recordedDaemonBuild, upgradeLock } from "../../client/machine/daemon-files.ts";
import type { DaemonStatus } from "../../client/machine/daemon-wire.ts";
import { inSandbox, networkBlocked } from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { readSeats } from "../../client/machine/seats.ts";
import { makePrivateFolder } from "../../client/machine/private-files.ts";
import type { Cli } from "../frame/cli.ts";
import { selfCommand } from "../frame/program-name.ts";
import { daemonSilent, lastFailure, silentDaemon } from "./why-silent.ts";
import { networkRefusal } from "../network/network-refusal.ts";

const stepMs = 10;
const startWaitMs = 10_000;
const stopWaitMs = 15_000;
const statusWaitMs = 2_000;

type Run = Pick<Cli, "folders" | "system">;
type RunWithEnv = Pick<Cli, "env" | "folders" | "system" | "clock">;
/** How often a daemon of an older build is replaced that comes again. */
const mostTries = 3;

/** What the daemon says about itself, or null when none answers. */
export async function daemonStatus(cli: Run): Promise<DaemonStatus | null> {
  try {
    const { status } = await askDaemon(cli, { op: "status" }, statusWaitMs);
    return status ? wholeStatus(status) : null;
  } catch (error) {
    if (error instanceof LocalError && error.code === "daemon_not_running") return null;
    throw error;
  }
}

/** A status with everything in it: a daemon of another build may leave out what is empty, and what it does not know. */
const wholeStatus = (said: Pick<DaemonStatus, "pid"> & Partial<DaemonStatus>): DaemonStatus => ({
  build: { version: "" },
  open_sessions: 0,
  multi_seat: false,
  servers: [],
  agents: [],
  attention: [],
  stalled: [],
  bindings: [],
  ...said,
});

/**
 * What the daemon says, without seats that this machine has given up, such as by `leave`: they are no trouble, though the
 * daemon remembers until it ends that nothing can be delivered there.
 */
export async function daemonState(cli: Run & Pick<Cli, "learned">): Promise<DaemonStatus | null> {
  const status = await daemonStatus(cli);
  if (status === null || status.agents.length === 0) return status;
  const kept = new Set(readSeats(cli).map(({ member_id }) => member_id));
  return { ...status, agents: status.agents.filter(({ agent }) => kept.has(agent.member_id)) };
}

/** The builds of a daemon that was replaced. */
export interface Replaced {
  readonly from: BuildInfo;
  readonly to: BuildInfo;
}

/**
 * Replaces a daemon of an older build by this one. What waits stays in its journal and on the servers. Null if none was
 * replaced: it is no older, this is a sandbox, or it did not work, and then the older one is used.
 */
export async function replaceOlderDaemon(cli: RunWithEnv): Promise<Replaced | null> {
  if (
    !isOlder(recordedDaemonBuild(cli.folders), buildInfo) ||
    networkBlocked(cli) ||
    inSandbox(cli)
  )
    return null;
  try {
    const release = takeLock(upgradeLock(cli.folders));
    try {
      return await replaced(cli);
    } finally {
      release();
    }
  } catch (error) {
    if (error instanceof LocalError || error instanceof DaemonRefusal || error instanceof LockHeld)
      return null;
    throw error;
  }
}

/** Whoever waited for the lock finds the new one. One of an older build may have been started again meanwhile. */
async function replaced(cli: RunWithEnv): Promise<Replaced | null> {
  let done: Replaced | null = null;
  for (let tries = 1; tries <= mostTries; tries++) {
    const from = (await daemonStatus(cli))?.build;
    if (from === undefined || !isOlder(from, buildInfo)) break;
    await stopDaemon(cli);
    await startDaemon(cli);
    done = { from, to: buildInfo };
  }
  return done;
}

/**
 * Makes sure that the daemon runs, and starts it in the background if it does not. A command in a sandbox starts none: the
 * daemon would live in that sandbox.
 */
export async function ensureDaemon(cli: RunWithEnv): Promise<{ pid: number; started: boolean }> {
  const replaced = await replaceOlderDaemon(cli);
  const running = await daemonStatus(cli);
  if (running) return { pid: running.pid, started: replaced !== null };
  if (networkBlocked(cli)) throw networkRefusal();
  if (inSandbox(cli))
    throw new LocalError(
      "daemon_in_sandbox",
      "The delivery daemon does not run, and a command in a sandbox cannot start it.",
      "Run `service daemon start` in a terminal. A session-start hook starts it too, once it is trusted.",
    );
  return startDaemon(cli);
}

async function startDaemon(cli: RunWithEnv): Promise<{ pid: number; started: boolean }> {
  const silent = await silentDaemon(cli);
  if (silent) throw daemonSilent(silent);
  makePrivateFolder(cli.folders.state);
  const child = cli.system.start([...selfCommand(cli), "daemon"], {
    cwd: cli.folders.state,
    env: Object.fromEntries(Object.entries(cli.env).filter(([name]) => isKept(name))),
    log: daemonLog(cli.folders),
  });
  for (const end = cli.clock.elapsed() + startWaitMs; cli.clock.elapsed() < end;) {
    const status = await daemonStatus(cli);
    if (status) return { pid: status.pid, started: status.pid === child.pid };
    if (child.exitCode !== null && child.exitCode !== 0) break;
    await cli.clock.sleep(stepMs);
  }
  const failure = lastFailure(cli);
  throw new LocalError(
    "daemon_not_running",
    failure === null
      ? "The delivery daemon did not start."
      : `The delivery daemon did not start: ${failure.what}`,
    failure?.hint || `Its log is ${daemonLog(cli.folders)}; in the foreground: \`service daemon\`.`,
  );
}

/** The daemon serves every session, so it inherits nothing that belongs to one of them. */
const isKept = (name: string): boolean =>
  !/^(SERVICE_(AGENT|SESSION|SUBAGENT|BOARD|SERVER|BOOT|LAUNCH)|(CLAUDE|CODEX|OPENCODE).*)$/.test(
    name,
  );

/** Stops the daemon and waits until it has ended. False when none ran. */
export async function stopDaemon(cli: Pick<Cli, "folders" | "system" | "clock">): Promise<boolean> {
  const running = await daemonStatus(cli);
  const silent = running ? null : await silentDaemon(cli);
  if (silent) throw daemonSilent(silent);
  if (!running) return false;
  await askDaemon(cli, { op: "stop" });
  const end = cli.clock.elapsed() + stopWaitMs;
  while (cli.system.isAlive(running.pid) && cli.clock.elapsed() < end)
    await cli.clock.sleep(stepMs);
  if (!cli.system.isAlive(running.pid)) return true;
  throw new LocalError(
    "daemon_not_running",
    `The daemon ${running.pid} did not stop within ${stopWaitMs / 1000} seconds.`,
    `Its log is ${daemonLog(cli.folders)}. To end it at once, which loses nothing: \`kill -KILL ${running.pid}\``,
  );
}
