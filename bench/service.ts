import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { createClient, type Client } from "../src/client/client.ts";
import { firstAnswer, freePort, remember, start, stop } from "./processes.ts";
import type { Mode, Questions } from "./server.ts";

/** The built executable under test. */
export const executable = new URL("../dist/service", import.meta.url).pathname;

/** A server of this run: its process, and the first person's key. */
export interface RunningService {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  readonly home: string;
  readonly token: string;
  readonly client: Client;
  stop(): Promise<void>;
}

/** A server started from source, which answers questions about itself. */
export interface AskedService extends RunningService {
  ask<Q extends keyof Questions>(question: Q): Promise<Questions[Q]>;
}

/**
 * The whole environment of a process of the service: its folder, its address, no limits, and nothing of whoever started
 * the benchmark, such as an agent's session.
 */
export const serviceEnvironment = (home: string, port: number) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  SERVICE_HOME: home,
  SERVICE_LOCAL_ADDR: `127.0.0.1:${port}`,
  SERVICE_RATE_SCALE: "0",
  SERVICE_NO_UPDATE_CHECK: "1",
});

/** Starts the executable, or another build of it, on a folder and waits for its first answer. */
export async function startService(home: string, program = executable): Promise<RunningService> {
  const port = freePort();
  const since = performance.now();
  const child = start([program, "serve"], {
    env: serviceEnvironment(home, port),
    log: join(home, "bench.log"),
  });
  return running(child, home, port, since);
}

/** Starts the same server from source, as `bench/server.ts` may: grouped or single commits, FULL or NORMAL. */
export async function startFromSource(
  home: string,
  mode: Mode,
  profiler: string[] = [],
): Promise<AskedService> {
  const port = freePort();
  const since = performance.now();
  const script = new URL("server.ts", import.meta.url).pathname;
  let told: ((answer: never) => void) | undefined;
  const child = remember(
    Bun.spawn([process.execPath, ...profiler, script, home, String(port), JSON.stringify(mode)], {
      env: serviceEnvironment(home, port),
      stdio: ["ignore", Bun.file(join(home, "bench.log")), "inherit"],
      ipc: (answer: never) => told?.(answer),
    }),
  );
  const service = await running(child, home, port, since);
  return {
    ...service,
    ask<Q extends keyof Questions>(question: Q) {
      const { promise, resolve } = Promise.withResolvers<Questions[Q]>();
      told = resolve;
      child.send(question);
      return promise;
    },
  };
}

async function running(
  child: Subprocess,
  home: string,
  port: number,
  since: number,
): Promise<RunningService> {
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(`${url}/v1/info`, since, child);
  const token = readFileSync(join(home, "config", "owner-token"), "utf8").trim();
  const client = createClient({ baseUrl: url, token });
  return { pid: child.pid, port, url, home, token, client, stop: () => stop(child) };
}
