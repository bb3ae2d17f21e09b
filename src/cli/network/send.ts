import type { Cli } from "../frame/cli.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { isThisMachine } from "../../client/machine/server-address.ts";
import { fetchDirectly } from "./proxies.ts";

/** A server that sends nothing for this long, beyond the requested wait, counts as not answering. */
const firstAnswerMs = 10_000;
/** The slowest upload that we allow for, in bytes a millisecond. It extends the time for the answer. */
const slowest = 64;

/**
 * Sends a request once; every request of the command line goes this way. A server of this machine is reached without a
 * proxy, and over a connection for each request: Bun sends a request again by itself where a kept one has ended, to whoever
 * listens at the port by then. No certificate goes unchecked.
 */
export async function sendOnce(
  { env, clock }: Pick<Cli, "env" | "clock">,
  request: Request,
): Promise<Response> {
  const late = new AbortController();
  const wait = Number(new URL(request.url).searchParams.get("wait"));
  const sending = Number(request.headers.get("content-length")) / slowest;
  const limit = firstAnswerMs + wait * 1_000 + sending;
  const answered = clock.after(limit, () => late.abort(tooLate()));
  try {
    const signal = AbortSignal.any([request.signal, late.signal]);
    const keepalive = !isThisMachine(request.url);
    const options = { signal, keepalive, ...quiet, ...(await checked(env, request)) };
    return await fetchDirectly(request, options);
  } finally {
    answered();
  }
}

const tooLate = () =>
  Object.assign(new Error("no answer came"), { name: "TimeoutError", code: "ETIMEDOUT" });

/** Whether a request ended because no answer came in time. */
export const isLate = (error: unknown): boolean => (error as Error).name === "TimeoutError";

/** Bun prints requests with their credentials where BUN_CONFIG_VERBOSE_FETCH asks for it, unless it is told not to. */
const quiet = { verbose: false };

/**
 * How a certificate is checked: against the roots of the system, those that come with the program, and those of
 * SSL_CERT_FILE. Every option is set, because otherwise variables meant for Node.js would add roots or turn the check off.
 */
async function checked(env: Cli["env"], request: Request): Promise<BunFetchRequestInit> {
  if (!request.url.startsWith("https:")) return {};
  const { getCACertificates } = await import("node:tls");
  const roots = [...getCACertificates("bundled"), ...getCACertificates("system")];
  const file = env["SSL_CERT_FILE"];
  if (file) roots.push(await rootsIn(file));
  return { tls: { ca: roots, rejectUnauthorized: true } };
}

const rootsIn = (file: string): Promise<string> =>
  Bun.file(file)
    .text()
    .catch(() => {
      throw new LocalError(
        "internal",
        `SSL_CERT_FILE names a file that cannot be read: ${file}.`,
        "Set it to a PEM file, or unset it.",
      );
    });
