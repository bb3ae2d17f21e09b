import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, type StartOptions } from "../../../src/server/serve.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/**
 * A local server that listens on a port, for what only a socket shows. It stops with the test that starts it, or with the
 * file or `describe` that starts it for all of its tests; never start one in `beforeAll`.
 */
export async function startListening(
  options: Pick<StartOptions, "idleSeconds" | "trustProxy" | "rateScale"> = {},
) {
  const folder = temporaryFolder(() => server.stop());
  const logged: string[] = [];
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
    log: (line) => void logged.push(line),
  });
  const { host, port } = new URL(server.url);
  return {
    server,
    host,
    port: Number(port),
    /** The first person's key. */
    key: readFileSync(join(folder, "key"), "utf8").trim(),
    /** Folder of the bytes of files. */
    files: join(folder, "data", "files"),
    /** Lines of the server's log. */
    logged,
  };
}
