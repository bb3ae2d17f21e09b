import { join } from "node:path";
import { buildInfo, type BuildInfo } from "../build-info.ts";
import type { Cli, Env } from "./cli.ts";
import { networkRefusal, sendOnce } from "./api.ts";
import { CliError } from "./errors.ts";
import { networkBlocked } from "./harness.ts";
import { addressFile, localAddress, type LocalAddress } from "./local-address.ts";
import { readText } from "./private-files.ts";

const stepMs = 10;
const startWaitMs = 15_000;
const stopWaitMs = 15_000;

/** What a server says of itself. */
export interface Info extends BuildInfo {
  readonly server_id: string;
}

/** An older build that was stopped, and the one started in its place. */
export type Replaced = null | { readonly from: BuildInfo; readonly to: BuildInfo };

export interface LocalServer {
  readonly url: string;
  readonly started: boolean;
  readonly replaced: Replaced;
}

export const pidFile = (dataFolder: string): string => join(dataFolder, "server.pid");
export const logFile = (cli: Cli): string => join(cli.folders.data, "server.log");

/** The process id that the local server wrote, or null. */
export const recordedPid = (cli: Cli): number | null =>
  Number(readText(pidFile(cli.folders.data))) || null;

/** What answers at an address: this service's description, `foreign` for something else, or null for nothing. */
export async function infoAt(env: Env, url: string): Promise<Info | "foreign" | null> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(5_000);
    const headers = { "user-agent": `service/${buildInfo.version}` };
    const request = new Request(`${url}/v1/info`, { headers, redirect: "manual", signal });
    response = await sendOnce(env, request);
  } catch {
    return null;
  }
  try {
    const info = (await response.json()) as Info & { name: string };
    return response.ok && info.name === "service" ? info : "foreign";
  } catch {
    return "foreign";
  }
}

/** Sees to it that the local server runs: starts it when none answers, and replaces one of an older build. */
export async function ensureLocalServer(cli: Cli): Promise<LocalServer> {
  const address = localAddress(cli);
  const info = await infoAt(cli.env, address.url);
  if (info === "foreign") throw addressTaken(cli, address);
  if (info && !isOlder(info, buildInfo)) {
    return { url: address.url, started: false, replaced: null };
  }
  if (networkBlocked(cli.env)) throw networkRefusal();
  if (info) await stopLocalServer(cli);
  cli.serverStarted = await start(cli, address);
  if (cli.serverStarted) cli.note(`started local server at ${address.url}`);
  return {
    url: address.url,
    started: cli.serverStarted && !info,
    replaced: info ? { from: versionOf(info), to: buildInfo } : null,
  };
}

/** Stops the local server and waits until it is gone. Says whether one ran. Signals only what answers as this service. */
export async function stopLocalServer(cli: Cli): Promise<boolean> {
  const { url } = localAddress(cli);
  const info = await infoAt(cli.env, url);
  if (info === null || info === "foreign") return false;
  const pid = recordedPid(cli);
  if (!pid || !isAlive(pid))
    throw new CliError(
      "server_not_running",
      `A server answers at ${url}, but it is not the one of ${cli.folders.data}.`,
      "Stop it from its own SERVICE_HOME, or with the program that runs it.",
    );
  process.kill(pid, "SIGTERM");
  const end = Date.now() + stopWaitMs;
  // A server that has ended removes its file. Its process may stay visible until somebody asks for its exit code.
  const runs = () => isAlive(pid) && recordedPid(cli) === pid;
  while (runs() && Date.now() < end) await Bun.sleep(stepMs);
  if (runs())
    throw new CliError(
      "server_not_running",
      `The server ${pid} did not stop within ${stopWaitMs / 1000} seconds.`,
      `Its log is ${logFile(cli)}.`,
    );
  return true;
}

/** Starts a server and waits until one answers. Says whether it is this one: another command may have been faster. */
async function start(cli: Cli, address: LocalAddress): Promise<boolean> {
  const { spawnServer } = await import("./spawn-server.ts");
  const child = spawnServer(cli);
  const end = Date.now() + startWaitMs;
  while (Date.now() < end) {
    const info = await infoAt(cli.env, address.url);
    const pid = recordedPid(cli);
    if (info === "foreign") throw addressTaken(cli, address);
    if (info && pid && isAlive(pid)) return pid === child.pid;
    if (child.exitCode !== null && !lastLines(cli).includes("server_already_running")) break;
    await Bun.sleep(stepMs);
  }
  throw new CliError(
    "server_not_running",
    `The local server did not start: ${lastLines(cli)}`,
    `Its log is ${logFile(cli)}; in the foreground: \`service serve\`.`,
  );
}

const lastLines = (cli: Cli) =>
  (readText(logFile(cli)) ?? "").trim().split("\n").slice(-2).join(" ") || "it said nothing.";

function addressTaken(cli: Cli, { url }: LocalAddress): CliError {
  const remedy =
    cli.env["SERVICE_HOME"] && !cli.env["SERVICE_LOCAL_ADDR"]
      ? `Remove ${addressFile(cli)}, and another port is chosen.`
      : "Set SERVICE_LOCAL_ADDR to another address of this machine, such as `127.0.0.1:7411`.";
  return new CliError("server_not_running", `Another program answers at ${url}.`, remedy);
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const versionOf = ({ version, commit, commit_time }: BuildInfo): BuildInfo => ({
  version,
  ...(commit && { commit }),
  ...(commit_time && { commit_time }),
});

/** Whether one build is older than another: by version, and by commit time between equal versions. */
export function isOlder(one: BuildInfo, other: BuildInfo): boolean {
  const order = Bun.semver.order(one.version, other.version);
  if (order !== 0) return order < 0;
  return Boolean(one.commit_time && other.commit_time && one.commit_time < other.commit_time);
}
