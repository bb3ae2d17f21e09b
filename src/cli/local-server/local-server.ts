import { join } from "node:path";
import { buildInfo, buildOf, isOlder } from "../../client/build-info.ts";
import type { Cli } from "../frame/cli.ts";
import { networkRefusal } from "../network/network-refusal.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { networkBlocked } from "../../client/machine/harness.ts";
import { localAddress } from "../../client/machine/local-address.ts";
import { infoAt, notAnswering, ownServer } from "./identify-server.ts";
import { readText } from "../../client/machine/private-files.ts";
import { pidFile, recordedPid, serverPid, stillServes } from "./server-process.ts";

const stepMs = 10;
const startWaitMs = 15_000;
const stopWaitMs = 15_000;
/** A server that answers records its process in far less time. */
const recordWaitMs = 1_000;

export const logFile = (cli: Cli): string => join(cli.folders.data, "server.log");

/** Ensures that the local server runs: starts one if none answers, and replaces one of an older build. `replaced` has both builds. */
export async function ensureLocalServer(cli: Cli) {
  const address = localAddress(cli);
  const own = await ownServer(cli);
  if (own?.isProven && !isOlder(own.info, buildInfo)) {
    return { url: address.url, started: false, replaced: null };
  }
  if (networkBlocked(cli)) throw networkRefusal();
  if (own) await stopLocalServer(cli);
  cli.serverStarted = await start(cli);
  if (cli.serverStarted) cli.note(`started local server at ${address.url}`);
  return {
    url: address.url,
    started: cli.serverStarted && !own,
    replaced: own ? { from: buildOf(own.info), to: buildInfo } : null,
  };
}

/** Stops the local server and waits, at most 15 seconds, until it has ended. False when none ran. Signals only a server that proved to be this home's. */
export async function stopLocalServer(cli: Cli): Promise<boolean> {
  const { url } = localAddress(cli);
  const pid = serverPid(cli);
  if (pid === null && !isService(await infoAt(cli, url))) return false;
  if ((await ownServer(cli)) === null) throw notAnswering(cli);
  if (pid === null)
    throw new LocalError(
      "server_not_running",
      `The server at ${url} is this home's, but ${pidFile(cli.folders.data)} does not name its process.`,
      `Find the process that has ${join(cli.folders.data, "service.db")} open, such as with \`lsof -t\`, and end it with \`kill\`.`,
    );
  cli.system.kill(pid, "SIGTERM");
  const end = cli.clock.elapsed() + stopWaitMs;
  while (stillServes(cli, pid) && cli.clock.elapsed() < end) await cli.clock.sleep(stepMs);
  if (stillServes(cli, pid))
    throw new LocalError(
      "server_not_running",
      `The server ${pid} did not stop within ${stopWaitMs / 1000} seconds.`,
      `Its log is ${logFile(cli)}. To end it at once: \`kill -KILL ${pid}\``,
    );
  return true;
}

/** Starts a server and waits until one answers. False if another command started the one that answers. */
async function start(cli: Cli): Promise<boolean> {
  const { spawnServer } = await import("./spawn-server.ts");
  const child = spawnServer(cli);
  const end = cli.clock.elapsed() + startWaitMs;
  let proven = Infinity;
  while (cli.clock.elapsed() < end) {
    const own = await ownServer(cli);
    const pid = recordedPid(cli);
    if (own?.isProven) proven = Math.min(proven, cli.clock.elapsed());
    if (own?.isProven && pid && serverPid(cli) === pid) {
      // Our process still waits for the database. It would get it after a `down`.
      if (pid !== child.pid) child.end();
      return pid === child.pid;
    }
    // On a full disk a server serves without a record.
    const isLate = cli.clock.elapsed() - proven > recordWaitMs;
    if (isLate && child.exitCode === null && serverPid(cli) === child.pid) return true;
    if (child.exitCode !== null && !lastLines(cli).includes("server_already_running")) break;
    await cli.clock.sleep(stepMs);
  }
  if (child.exitCode !== null && serverPid(cli) !== null) throw notAnswering(cli);
  throw new LocalError(
    "server_not_running",
    `The local server did not start: ${lastLines(cli)}`,
    `Its log is ${logFile(cli)}; in the foreground: \`service serve\`.`,
  );
}

const isService = (info: Awaited<ReturnType<typeof infoAt>>) => info !== null && info !== "foreign";

const lastLines = (cli: Cli) =>
  (readText(logFile(cli)) ?? "").trim().split("\n").slice(-2).join(" ") || "it said nothing.";
