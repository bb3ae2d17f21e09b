import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathOfFile } from "../../../src/backup/manifest.ts";
import { createClient, type Client } from "../../../src/client/client.ts";
import { takeBackup, type BackupSource } from "../../../src/server/backup/take-backup.ts";
import { startServer } from "../../../src/server/serve.ts";
import type { StartOptions } from "../../../src/server/start-options.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** The words that start this program from its sources. */
export const program = [process.execPath, resolve(import.meta.dir, "../../../src/main.ts")];

/** Servers that run, by the home that they end with. */
const stops = new Map<string, Set<() => Promise<unknown>>>();

/** Starts a server on a data folder, in this process. It stops with the home's folder. */
export async function startOn(dataFolder: string, home: string, more: Partial<StartOptions> = {}) {
  const server = await startServer({
    mode: "local",
    dataFolder,
    hostname: "127.0.0.1",
    port: 0,
    keyFile: join(home, "key"),
    firstHandle: "ana",
    keyName: "laptop",
    version: "0.0.0-test",
    rateScale: 0,
    log() {},
    ...more,
  });
  const own = stops.get(home);
  // A server that the test has stopped is forgotten, and its memory with it: some tests start hundreds.
  const stop = () => {
    own?.delete(stop);
    return server.stop();
  };
  own?.add(stop);
  return { ...server, stop };
}

/** A server in this process on a port, with the board docs, its first person's client, and backups of it. */
export async function startBackedUp() {
  const own = new Set<() => Promise<unknown>>();
  const home = temporaryFolder(async () => {
    for (const stop of own) await stop();
  });
  stops.set(home, own);
  const data = join(home, "data");
  const where = join(home, "saved");
  const server = await startOn(data, home);
  const token = readFileSync(join(home, "key"), "utf8").trim();
  const client = createClient({ baseUrl: server.url, token });
  await client.call("createBoard", { body: { name: "docs" } });
  const source: BackupSource = { db: server.db, dataFolder: data, program, version: "0.0.0-test" };
  const take = (name: string) => takeBackup(source, where, name);
  return { home, data, where, server, client, source, take };
}

/** Posts a message to all on the board docs. */
export const postTo = (client: Client, body: string) =>
  client.call("postMessage", { params: { board: "docs" }, body: { body, to: ["all"] } });

/** Writes a file of the board docs. */
export const put = (client: Client, name: string, text: string) =>
  client.upload({ params: { board: "docs" }, query: { name } }, new Blob([text]));

/** Where the bytes of a text lie in a data folder or a backup. */
export const filePath = (folder: string, text: string) =>
  join(folder, pathOfFile(Bun.CryptoHasher.hash("sha256", text, "hex")));
