import { kindOfSecret } from "../../contract/credentials.ts";
import { buildInfo } from "../../client/build-info.ts";
import {
  ApiError,
  createClient,
  Unreachable,
  type BytesOptions,
  type Client,
} from "../../client/client.ts";
import { isWrite, routes } from "../../client/routes.ts";
import type { OperationName } from "../../contract/index.ts";
import type { Cli } from "../frame/cli.ts";
import { networkRefusal } from "../network/network-refusal.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { networkBlocked } from "../../client/machine/harness.ts";
import { withIdleTimeout } from "./idle-timeout.ts";
import { attemptsByKey, type Attempts } from "./unanswered.ts";
import { proxyOf } from "../network/proxies.ts";
import { isLate, sendOnce } from "../network/send.ts";
import { forgetProof, provenServer, type Info } from "../local-server/identify-server.ts";
import { refuseInsecure } from "../../client/machine/server-address.ts";
import { ownerTokenFile, type ServerRef } from "../../client/machine/servers.ts";
import { shellWord } from "../../contract/shell-word.ts";

/** The client of one server that a command uses. */
export interface Api extends Client {
  /** The server's description. It is requested once in a run. */
  info(): Promise<Info>;
  /** What became of the calls under an Idempotency-Key, uploads aside. */
  attempts(idempotencyKey: string): Attempts;
}

/**
 * A client of one server for one command. Writes carry an Idempotency-Key. When the server does not answer, the request
 * is sent once more; this machine's own server is started first. Refuses plain http to another machine.
 */
export function apiOf(cli: Cli, server: ServerRef, token?: string): Api {
  refuseInsecure(server.url);
  const known = { baseUrl: server.url, version: buildInfo.version, ...(token && { token }) };
  const attempts = attemptsByKey();
  if (server.name === "local" && token) askEarly(cli);
  const client = createClient({
    ...known,
    fetch: async (request) => {
      const send = (one: Request) => attempts.sent(one, () => sendTo(cli, server, one));
      const response = await sendTwice(cli, server, request, send);
      return opensStream(request) ? response : withIdleTimeout(cli, response);
    },
  });
  // An upload is not copied for a second try: its bytes are read from their source again.
  const uploader = createClient({ ...known, fetch: (request) => sendTo(cli, server, request) });
  // A download may take any time, so only silence shows that its connection died.
  const downloader = createClient({
    ...known,
    fetch: async (request) => withIdleTimeout(cli, await sendTwice(cli, server, request)),
  });
  const withKey = (name: OperationName, options = {}) =>
    isWrite(name) ? { idempotencyKey: crypto.randomUUID(), ...options } : options;
  const failed = (error: unknown) =>
    asLocalError(cli, server, withWaitHint(withEndedHint(cli, error, server, token)));
  const follow: Client["follow"] = async function* (name, input, options) {
    try {
      yield* client.follow(name, input, options);
    } catch (error) {
      failed(error);
    }
  };
  /** Sends an upload, and once more if no answer came. */
  function uploaded<T>(
    options: BytesOptions | undefined,
    upload: (options: BytesOptions) => Promise<T>,
  ): Promise<T> {
    const keyed = { idempotencyKey: crypto.randomUUID(), ...options };
    const attempt = () => upload(keyed);
    const again = async (error: unknown) => {
      const lost = error instanceof Unreachable ? error.cause : undefined;
      const isNoAnswer = lost instanceof Error && !(lost instanceof SyntaxError);
      if (!isNoAnswer || options?.signal?.aborted || !isWorthAgain(server, lost)) throw error;
      await prepareRetry(cli, server);
      return attempt();
    };
    return attempt().catch(again).catch(failed);
  }
  return {
    info: () =>
      cli.learned.asked(`info of ${server.url}`, () => infoOf(cli, server, client).catch(failed)),
    send: (name, input, options) => client.send(name, input, withKey(name, options)).catch(failed),
    call: (name, input, options) => client.call(name, input, withKey(name, options)).catch(failed),
    upload: (...[input, bytes, options]) =>
      uploaded(options, (keyed) => uploader.upload(input, bytes, keyed)),
    importBoard: (...[input, bytes, options]) =>
      uploaded(options, (keyed) => uploader.importBoard(input, bytes, keyed)),
    exportBoard: (input, options) => downloader.exportBoard(input, options).catch(failed),
    download: (input, options) => downloader.download(input, options).catch(failed),
    follow,
    stream: (options) => follow("stream", {}, options),
    attempts: attempts.of,
  };
}

async function sendTwice(
  cli: Cli,
  server: ServerRef,
  request: Request,
  send = (one: Request) => sendTo(cli, server, one),
): Promise<Response> {
  try {
    return await send(request.clone());
  } catch (error) {
    if (request.signal.aborted || !isWorthAgain(server, error)) throw error;
    await prepareRetry(cli, server);
    return send(request);
  }
}

const isWorthAgain = (server: ServerRef, error: unknown): boolean =>
  !(error instanceof LocalError) && (server.name === "local" || !isLate(error));

/**
 * Sends a request once. A credential of the local server goes only to a server that proved to be it. A stream asks for a
 * new proof: the one before it may have ended because the server did.
 */
export async function sendTo(cli: Cli, server: ServerRef, request: Request): Promise<Response> {
  if (server.name !== "local" || !request.headers.has("authorization"))
    return sendOnce(cli, request);
  if (opensStream(request)) forgetProof(cli);
  if ((await provenServer(cli)) === null) throw nothingThere();
  try {
    return await sendOnce(cli, request);
  } catch (error) {
    forgetProof(cli);
    throw error;
  }
}

/** Asks this home's server for its proof while the command still reads what it sends. Who sends reads what came of it. */
function askEarly(cli: Cli): void {
  provenServer(cli).catch(() => {});
}

const opensStream = (request: Request): boolean =>
  [routes.stream, routes.streamInbox].includes(`GET ${new URL(request.url).pathname}`);

const nothingThere = () => Object.assign(new Error("nothing listens"), { code: "ECONNREFUSED" });

/** The description of a server. The local server sends it with its proof, so it is not requested again. */
async function infoOf(cli: Cli, server: ServerRef, client: Client): Promise<Info> {
  if (server.name !== "local") return client.call("getInfo");
  return (await provenServer(cli)) ?? client.call("getInfo");
}

async function prepareRetry(cli: Cli, server: ServerRef): Promise<void> {
  if (networkBlocked(cli)) throw networkRefusal();
  if (server.name !== "local") return;
  const { ensureLocalServer } = await import("../local-server/local-server.ts");
  await ensureLocalServer(cli);
}

/** Replaces the server's hint about a request, which the user did not write, with one about the command. */
function asLocalError(cli: Cli, server: ServerRef, error: unknown): never {
  if (error instanceof ApiError && error.code === "invalid_request" && cli.command !== "api")
    throw error.withHint(`\`service help ${cli.command}\` shows how it is used.`);
  if (!(error instanceof Unreachable)) throw error;
  if (error.cause instanceof LocalError) throw error.cause;
  const reason = (error.cause as { code?: string } | undefined)?.code ?? "";
  const proxy = proxyOf(cli.env, server.url);
  const by = proxy && ` It is reached by the proxy ${proxy.host}, which ${proxy.variable} names.`;
  throw new LocalError(
    "server_unreachable",
    `${error.message}${reason && ` (${reason})`}.${by ?? ""}`,
    reason === "ERR_TLS_CERT_ALTNAME_INVALID"
      ? "Its certificate is for another name: use the address that the certificate names."
      : /CERT|SIGNATURE|TLS|SSL/.test(reason)
        ? "Its certificate is not trusted here: set SSL_CERT_FILE to a PEM file with its root."
        : `${proxy ? "Check the proxy, or name this server in NO_PROXY to reach it directly" : "Check the address and the network"}, then try again; \`service servers\` lists the servers known here.`,
  );
}

/** The error that was thrown. If the server says how long to wait, so does the hint: nobody sees a header here. */
function withWaitHint(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.retryAfter === null) return error;
  const wait = `Wait ${error.retryAfter} seconds, then try again.`;
  return error.withHint(error.hint.includes("Retry-After") ? wait : `${error.hint} ${wait}`);
}

/** The error that was thrown. If the credential has ended, its hint is for the person who keeps it on this machine. */
export function withEndedHint(
  cli: Cli,
  error: unknown,
  server: ServerRef,
  token?: string,
): unknown {
  const ended = endedHint(cli, server, token);
  const isEnded = error instanceof ApiError && error.code === "unauthorized";
  return isEnded && ended ? error.withHint(ended) : error;
}

/** The hint for a credential of this machine that no longer works, or null. */
function endedHint(cli: Cli, { name, url }: ServerRef, token?: string): string | null {
  const kind = token ? kindOfSecret(token) : null;
  if (kind === "key" && name === "local")
    return `The key of this machine's own server was revoked or has ended. With another key: \`service login local\`. For a new one: \`service down\`, then \`rm ${shellWord(ownerTokenFile(cli))}\`, then \`service recover\`.`;
  if (kind === "key")
    return `The key that this machine keeps for ${url} was revoked or has ended. With another key: \`service login ${url}\`. To ask for a new one: \`service connect ${url} --handle HANDLE\`.`;
  if (kind === "agent")
    return "The agent's token ended with the key that it came by. Its person makes a code for a new agent: `service invite`.";
  return null;
}
