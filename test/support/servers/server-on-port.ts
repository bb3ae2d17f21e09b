import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer, type StartOptions } from "../../../src/server/serve.ts";

/** A local server that listens on a port, for what only a socket shows. `end` stops it and removes its folder. */
export async function startListening(options: Pick<StartOptions, "idleSeconds"> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "service-listening-"));
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
    async end() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
