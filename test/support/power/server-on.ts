import { join } from "node:path";
import { startServer } from "../../../src/server/serve.ts";

/** Starts a local server in this process on the files of a home. Its errors become complaints. */
export const serverOn = (home: string, complaints: string[]) =>
  startServer({
    mode: "local",
    dataFolder: join(home, "data"),
    hostname: "127.0.0.1",
    port: 0,
    keyFile: join(home, "config/owner-token"),
    firstHandle: "ana",
    keyName: "laptop",
    version: "0.0.0-test",
    rateScale: 0,
    log: (line) => void (line.includes('"error"') && complaints.push(line)),
  });
