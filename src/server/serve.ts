import { join } from "node:path";
import { makePrivateFolder } from "../client/files/private-file.ts";
import { openDatabase } from "../db/engine/database.ts";
import { hasLostCommits } from "../db/lost-commits.ts";
import { refuseLostDatabase } from "./digest-key.ts";
import { entranceAt } from "./http/entrance.ts";
import { createLog } from "./log.ts";
import { tokenIn } from "./numbers/metrics-token.ts";
import { refuseUnfinishedRestore } from "./restore-folder.ts";
import type { RunningServer, StartOptions } from "./start-options.ts";

/**
 * Starts a server that listens. Throws errors with `code` and `hint` when it cannot. The folder and the address are taken
 * before most of the program is loaded: when a program begins to listen, Bun looks for garbage in all that it has loaded.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { mode, dataFolder, metrics, shared = false } = options;
  refuseUnfinishedRestore(dataFolder);
  refuseLostDatabase(dataFolder);
  const metricsToken = metrics && "tokenFile" in metrics ? tokenIn(metrics.tokenFile) : undefined;
  makePrivateFolder(dataFolder);
  const path = join(dataFolder, "service.db");
  const leavesOut = hasLostCommits(`${path}-wal`);
  const db = openDatabase(path, { ...options.database, shared });
  const log = createLog((line) => options.log(line), {
    least: options.logLevel ?? (mode === "team" ? "info" : "warn"),
    form: options.logForm ?? "json",
  });
  if (leavesOut) log({ level: "error", event: "commits.left-out", file: `${path}-wal` });
  const entrance = entranceAt(options);
  try {
    const { putTogether } = await import("./put-together.ts");
    return await putTogether(options, { db, log, entrance, metricsToken });
  } catch (error) {
    entrance.close();
    db.close();
    throw error;
  }
}
