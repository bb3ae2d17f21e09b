import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { logLevels, type LogLevel } from "../../../src/server/log.ts";
import { startServer } from "../../../src/server/serve.ts";
import type { RunningServer, StartOptions } from "../../../src/server/start-options.ts";
import { leaksIn } from "../log-leaks.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/**
 * A local server that listens on a port, for what only a socket shows. It stops with the test that starts it, or with the
 * file or `describe` that starts it for all of its tests; never start one in `beforeAll`.
 */
export async function startListening(
  options: Partial<
    Pick<
      StartOptions,
      | "idleSeconds"
      | "trustProxy"
      | "rateScale"
      | "downloads"
      | "logLevel"
      | "freeBytes"
      | "metrics"
      | "mode"
      | "publicUrl"
      | "port"
    >
  > = {},
) {
  let started: RunningServer | undefined;
  const folder = temporaryFolder(async () => started && searchedAndStopped(started, all));
  const all: string[] = [];
  const logged: string[] = [];
  const { logLevel = options.mode === "team" ? "info" : "warn" } = options;
  const takes = (line: string) =>
    logLevels.indexOf((JSON.parse(line) as { level: LogLevel }).level) >=
    logLevels.indexOf(logLevel);
  const server = await startServer({
    mode: "local",
    dataFolder: join(folder, "data"),
    hostname: "127.0.0.1",
    port: 0,
    keyFile: join(folder, "key"),
    firstHandle: "ana",
    keyName: "laptop",
    version: "0.0.0-test",
    rateScale: 0,
    ...options,
    // Everything, since all of it is searched for what no log may hold.
    logLevel: "debug",
    log(line) {
      all.push(line);
      if (takes(line)) logged.push(line);
    },
  });
  started = server;
  const { host, port } = new URL(server.url);
  return {
    server,
    host,
    port: options.port ?? Number(port),
    /** The first person's key. */
    key: readFileSync(join(folder, "key"), "utf8").trim(),
    /** Folder of the bytes of files. */
    files: join(folder, "data", "files"),
    /** Lines of the server's log. */
    logged,
  };
}

/** Searches what a server has logged for secrets and for what somebody wrote, and stops it. Throws if there is any. */
async function searchedAndStopped({ db, stop }: RunningServer, lines: readonly string[]) {
  let leaks: readonly string[] = [];
  try {
    leaks = leaksIn(
      db,
      lines.map((line) => JSON.parse(line) as unknown),
    );
  } catch {
    // The test has stopped it already.
  }
  await stop();
  expect(leaks).toEqual([]);
}
