import { remember } from "./processes.ts";

/** A request that wrk repeats over so many connections, each sending the next when its answer is there. */
export interface Load {
  url: string;
  connections: number;
  seconds: number;
  token?: string;
  /** Makes it a POST of this JSON. */
  body?: unknown;
  /** Each request carries an Idempotency-Key of its own. */
  keyed?: boolean;
}

/** The result of a run: answers a second, and milliseconds from request to answer. */
export interface Measured {
  requests: number;
  rate: number;
  p50: number;
  p99: number;
  /** Mean size of an answer with its headers. */
  bytes: number;
}

interface Summary {
  requests: number;
  microseconds: number;
  failed: number;
  p50_us: number;
  p99_us: number;
  bytes: number;
}

/** Runs wrk with one thread. Refuses a run in which a single request failed. */
export async function wrk(load: Load): Promise<Measured> {
  try {
    return measured(await summaryOf(load), load.url);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    // The load generator itself ended, which says nothing of what it measured and must not end a run of hours.
    console.error(`${error.message}; it is run once more`);
    return measured(await summaryOf(load), load.url);
  }
}

/** wrk ended without a result. */
class Ended extends Error {}

async function summaryOf(load: Load): Promise<Summary> {
  const { url, connections, seconds } = load;
  const script = new URL("wrk.lua", import.meta.url).pathname;
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script];
  const child = remember(
    Bun.spawn(["wrk", ...options, url], { env: environment(load), stdout: "pipe" }),
  );
  const output = await new Response(child.stdout).text();
  const json = output.trimEnd().split("\n").at(-1) ?? "";
  const code = await child.exited;
  if (code === 0 && json.startsWith("{")) return JSON.parse(json) as Summary;
  throw new Ended(`wrk ended with ${child.signalCode ?? code}: ${output.slice(0, 500)}`);
}

function environment({ token, body, keyed }: Load): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    ...(token !== undefined && { BENCH_TOKEN: token }),
    ...(body !== undefined && { BENCH_METHOD: "POST", BENCH_BODY: JSON.stringify(body) }),
    ...(keyed && { BENCH_KEYED: crypto.randomUUID() }),
  };
}

function measured(summary: Summary, url: string): Measured {
  const { requests, microseconds, failed, p50_us, p99_us, bytes } = summary;
  if (failed > 0) throw new Error(`${failed} of ${requests} requests to ${url} failed`);
  if (requests === 0) throw new Error(`${url} answered nothing`);
  return {
    requests,
    rate: (requests * 1e6) / microseconds,
    p50: p50_us / 1000,
    p99: p99_us / 1000,
    bytes: bytes / requests,
  };
}

/** The version of wrk, or a refusal that says how to install it. */
export function wrkVersion(): string {
  if (!Bun.which("wrk"))
    throw new Error("wrk is missing. Install it: apt-get update && apt-get install -y wrk");
  const { stdout } = Bun.spawnSync(["wrk", "--version"]);
  return stdout.toString().split("\n")[0]!.trim();
}
