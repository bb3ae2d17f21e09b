import { join } from "node:path";
import { buildInfo, type BuildInfo } from "../build-info.ts";
import type { Cli, Env } from "./cli.ts";
import { CliError } from "./errors.ts";
import { addressFile, localAddress } from "./local-address.ts";
import { readText } from "./private-files.ts";
import { isLate, sendOnce } from "./send.ts";
import { serverPid } from "./server-process.ts";

const infoWaitMs = 5_000;

/** What a server says of itself. */
export interface Info extends BuildInfo {
  readonly server_id: string;
}

/** What answers at an address: this service's description, `foreign` for something else, `silent` for what takes a connection and answers nothing, or null for nothing. */
export async function infoAt(env: Env, url: string): Promise<Info | "foreign" | "silent" | null> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(infoWaitMs);
    const headers = { "user-agent": `service/${buildInfo.version}` };
    const request = new Request(`${url}/v1/info`, { headers, redirect: "manual", signal });
    response = await sendOnce(env, request);
  } catch (error) {
    return isLate(error) ? "silent" : null;
  }
  try {
    const info = (await response.json()) as Info & { name: string };
    return response.ok && info.name === "service" ? info : "foreign";
  } catch {
    return "foreign";
  }
}

/** What this home's server says of itself, or null when nothing listens at its address. Refuses whatever else does. */
export async function ownServer(cli: Cli): Promise<Info | null> {
  const { url } = localAddress(cli);
  const info = await infoAt(cli.env, url);
  if (info === "foreign") throw refusal(`Another program answers at ${url}.`, elsewhere(cli));
  if (info === "silent") throw notAnswering(cli);
  if (info && !isOwn(cli, info))
    throw refusal(
      `A server answers at ${url}, but it is not the one of ${cli.folders.data}.`,
      `${elsewhere(cli)} To use that server, set SERVICE_HOME to its own.`,
    );
  return info;
}

/** A server writes its id beside its database before it answers. One that wrote none is known by its process. */
function isOwn(cli: Cli, { server_id }: Info): boolean {
  const id = readText(join(cli.folders.data, "server-id"));
  return id === null ? serverPid(cli) !== null : id.trim() === server_id;
}

const checks = new WeakMap<Cli, Promise<Info | null>>();

/** Refuses to send a credential of the local server to another one. Asked once a run, when something listens there. */
export async function refuseStranger(cli: Cli): Promise<void> {
  const check = checks.get(cli) ?? ownServer(cli);
  checks.set(cli, check);
  if ((await check) === null) checks.delete(cli);
}

/** What is said of a server that has the database, or at least the address, and does not answer. */
export function notAnswering(cli: Cli): CliError {
  const { url } = localAddress(cli);
  const pid = serverPid(cli);
  return pid === null
    ? refusal(`What listens at ${url} takes connections, but does not answer.`, elsewhere(cli))
    : refusal(
        `The server of ${cli.folders.data} is the process ${pid}, but it does not answer at ${url}.`,
        `If it was started with another SERVICE_LOCAL_ADDR, set that. Else end it, which loses nothing that it has answered: \`kill -KILL ${pid}\``,
      );
}

const refusal = (message: string, hint: string) =>
  new CliError("server_not_running", message, hint);

const elsewhere = (cli: Cli) =>
  cli.env["SERVICE_HOME"] && !cli.env["SERVICE_LOCAL_ADDR"]
    ? `Remove ${addressFile(cli)}, and another port is chosen.`
    : "Set SERVICE_LOCAL_ADDR to another address of this machine, such as `127.0.0.1:7411`.";
