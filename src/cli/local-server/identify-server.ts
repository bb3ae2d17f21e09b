import { join } from "node:path";
import { answeredJson } from "../../client/answered-json.ts";
import { buildInfo } from "../../client/build-info.ts";
import type { OutputOf } from "../../contract/index.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { provenText } from "../../contract/server-proof.ts";
import type { Cli } from "../frame/cli.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { addressFile, localAddress } from "../../client/machine/local-address.ts";
import { readText } from "../../client/machine/private-files.ts";
import { isLate, sendOnce } from "../network/send.ts";
import { recordedPid, serverPid, variablesOf } from "./server-process.ts";

const infoWaitMs = 5_000;

type Run = Pick<Cli, "env" | "clock">;

/** A server's description of itself. */
export type Info = OutputOf<"getInfo">;

/** Largest description of a server that is read, in bytes. One has some hundreds. */
const largestInfo = 64 * 1024;

/**
 * Asks what answers at an address. Gives the description of a server of this service, `foreign` for another program,
 * `silent` for a listener that does not answer in time, and null when nothing listens.
 */
export async function infoAt(
  cli: Run,
  url: string,
  query = "",
): Promise<Info | "foreign" | "silent" | null> {
  let response: Response;
  try {
    const signal = cli.clock.timeout(infoWaitMs);
    const headers = { "user-agent": `service/${buildInfo.version}` };
    const request = new Request(`${url}/v1/info${query}`, { headers, redirect: "manual", signal });
    response = await sendOnce(cli, request);
  } catch (error) {
    return isLate(error) ? "silent" : null;
  }
  try {
    const info = (await answeredJson(response, largestInfo)) as Info;
    return response.ok && info.name === "service" ? info : "foreign";
  } catch {
    return "foreign";
  }
}

interface OwnServer {
  readonly info: Info;
  /** Whether it proved to be this home's server. An older build cannot, and gets no credential. */
  readonly isProven: boolean;
}

/** How long a proof counts. Once the server has ended, another program may listen at its address. */
const proofMs = 10_000;
const asked = new WeakMap<
  Cli,
  { readonly at: number; readonly answer: Promise<OwnServer | null> }
>();

/** Asks this home's server for a proof. Null when nothing listens at its address. Refuses any other program there. */
export function ownServer(cli: Cli): Promise<OwnServer | null> {
  const answer = askForProof(cli);
  asked.set(cli, { at: cli.clock.elapsed(), answer });
  return answer;
}

async function askForProof(cli: Cli): Promise<OwnServer | null> {
  const { url } = localAddress(cli);
  const challenge = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const info = await infoAt(cli, url, `?challenge=${challenge}`);
  if (info === null) return null;
  if (info === "foreign") throw refusal(`Another program answers at ${url}.`, elsewhere(cli));
  if (info === "silent") throw notAnswering(cli);
  if (info.proof === undefined && serverPid(cli) !== null) return { info, isProven: false };
  const expected = proofOf(cli, info.server_id, url, challenge);
  if (expected === null || info.proof !== expected)
    throw refusal(
      `A server answers at ${url}, but it is not the one of ${cli.folders.data}.`,
      `${elsewhere(cli)} To use that server, set SERVICE_HOME to its own.`,
    );
  return { info, isProven: true };
}

/** The proof that this home's server would give for a challenge. Null without a whole key: then nothing proves anything. */
function proofOf(cli: Cli, serverId: string, url: string, challenge: string): string | null {
  const key = readText(join(cli.folders.data, "digest-key"))?.trim();
  if (!key || !/^[\da-f]{64}$/.test(key)) return null;
  return new Bun.CryptoHasher("sha256", Buffer.from(key, "hex"))
    .update(provenText(serverId, url, challenge))
    .digest("hex");
}

/**
 * The description of this home's server after it proved its identity, or null when nothing listens at its address. Asks
 * for a new proof when the last one is too old, a request has failed, or the server's process has ended. Refuses a server
 * that gives no proof.
 */
export async function provenServer(cli: Cli): Promise<Info | null> {
  const known = asked.get(cli);
  const isFresh = known !== undefined && cli.clock.elapsed() - known.at < proofMs && !hasEnded(cli);
  const own = await (isFresh ? known.answer : ownServer(cli));
  if (own === null) forgetProof(cli);
  if (own && !own.isProven) throw cannotProve(cli);
  return own && own.info;
}

/** Whether the process that the server recorded is gone. */
function hasEnded(cli: Cli): boolean {
  const pid = recordedPid(cli);
  return pid !== null && !cli.system.isAlive(pid);
}

/** Drops the proof, so that the server must prove itself before it gets the next credential. */
export const forgetProof = (cli: Cli): boolean => asked.delete(cli);

const cannotProve = (cli: Cli): LocalError =>
  refusal(
    `What answers at ${localAddress(cli).url} does not prove that it is the server of ${cli.folders.data}, as one of an older build does not.`,
    "Replace it by this program's own, which keeps all that is stored: `service up`.",
  );

/** The refusal when a server has this home's database, or a program its address, and does not answer. */
export function notAnswering(cli: Cli): LocalError {
  const { url } = localAddress(cli);
  const pid = serverPid(cli);
  return pid === null
    ? refusal(`What listens at ${url} takes connections, but does not answer.`, elsewhere(cli))
    : refusal(
        `The server of ${cli.folders.data} is the process ${pid}, but it does not answer at ${url}.`,
        whatToDoWith(cli, pid),
      );
}

/** What to do about a server that does not answer where this command asked: ask where it listens, if that is known, else end it. */
function whatToDoWith(cli: Cli, pid: number): string {
  const ending = `nd it, which loses nothing that it has answered: \`kill -KILL ${pid}\``;
  const started = variablesOf(pid);
  if (started === null)
    return `If it was started with another SERVICE_LOCAL_ADDR, set that. Else e${ending}`;
  const [there, here] = [started, cli.env].map((env) => env["SERVICE_LOCAL_ADDR"] || null);
  if (there === here) return `E${ending}`;
  const command = cli.typed(cli.command);
  return there
    ? `It was started with another SERVICE_LOCAL_ADDR. Set that: \`SERVICE_LOCAL_ADDR=${shellWord(there)} ${command}\``
    : `It was started without SERVICE_LOCAL_ADDR, which is set here. Leave it out: \`env -u SERVICE_LOCAL_ADDR ${command}\``;
}

const refusal = (message: string, hint: string) =>
  new LocalError("server_not_running", message, hint);

const elsewhere = (cli: Cli) =>
  cli.env["SERVICE_HOME"] && !cli.env["SERVICE_LOCAL_ADDR"]
    ? `Remove ${addressFile(cli)}, and another port is chosen.`
    : "Set SERVICE_LOCAL_ADDR to another address of this machine, such as `127.0.0.1:7411`.";
