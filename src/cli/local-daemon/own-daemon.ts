import { askDaemon } from "../../client/machine/daemon-client.ts";
import { daemonLog } from "../../client/machine/daemon-files.ts";
import type { DaemonStatus } from "../../client/machine/daemon-wire.ts";
import { inSandbox, networkBlocked } from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { makePrivateFolder } from "../../client/machine/private-files.ts";
import type { Cli } from "../frame/cli.ts";
import { selfCommand } from "../frame/program-name.ts";
import { networkRefusal } from "../network/network-refusal.ts";

const stepMs = 10;
const startWaitMs = 10_000;
const stopWaitMs = 15_000;
const statusWaitMs = 2_000;

type Run = Pick<Cli, "folders" | "system">;

/** What the daemon says about itself, or null when none answers. */
export async function daemonStatus(cli: Run): Promise<DaemonStatus | null> {
  try {
    return (await askDaemon(cli, { op: "status" }, statusWaitMs)).status ?? null;
  } catch (error) {
    if (error instanceof LocalError && error.code === "daemon_not_running") return null;
    throw error;
  }
}

/**
 * Makes sure that the daemon runs, and starts it in the background if it does not. A command in a sandbox starts none: the
 * daemon would live in that sandbox.
 */
export async function ensureDaemon(cli: Cli): Promise<{ pid: number; started: boolean }> {
  const running = await daemonStatus(cli);
  if (running) return { pid: running.pid, started: false };
  if (networkBlocked(cli.env)) throw networkRefusal();
  if (inSandbox(cli.env))
    throw new LocalError(
      "daemon_in_sandbox",
      "The delivery daemon does not run, and a command in a sandbox cannot start it.",
      "Run `service daemon start` in a terminal. A session-start hook starts it too, once it is trusted.",
    );
  makePrivateFolder(cli.folders.state);
  const child = cli.system.start([...selfCommand(cli), "daemon"], {
    cwd: cli.folders.state,
    env: Object.fromEntries(Object.entries(cli.env).filter(([name]) => isKept(name))),
    log: daemonLog(cli.folders),
  });
  for (const end = cli.clock.now() + startWaitMs; cli.clock.now() < end;) {
    const status = await daemonStatus(cli);
    if (status) return { pid: status.pid, started: status.pid === child.pid };
    if (child.exitCode !== null && child.exitCode !== 0) break;
    await cli.clock.sleep(stepMs);
  }
  throw new LocalError(
    "daemon_not_running",
    "The delivery daemon did not start.",
    `Its log is ${daemonLog(cli.folders)}; in the foreground: \`service daemon\`.`,
  );
}

/** The daemon serves every session, so it inherits nothing that belongs to one of them. */
const isKept = (name: string): boolean =>
  !/^(SERVICE_(AGENT|SESSION|SUBAGENT|BOARD|SERVER|BOOT|LAUNCH)|CLAUDE.*|CODEX_THREAD_ID|CODEX_SESSION_ID)$/.test(
    name,
  );

/** Stops the daemon and waits until it has ended. False when none ran. */
export async function stopDaemon(cli: Pick<Cli, "folders" | "system" | "clock">): Promise<boolean> {
  const running = await daemonStatus(cli);
  if (!running) return false;
  await askDaemon(cli, { op: "stop" });
  const end = cli.clock.now() + stopWaitMs;
  while (cli.system.isAlive(running.pid) && cli.clock.now() < end) await cli.clock.sleep(stepMs);
  if (!cli.system.isAlive(running.pid)) return true;
  throw new LocalError(
    "daemon_not_running",
    `The daemon ${running.pid} did not stop within ${stopWaitMs / 1000} seconds.`,
    `Its log is ${daemonLog(cli.folders)}. To end it at once, which loses nothing: \`kill -KILL ${running.pid}\``,
  );
}
