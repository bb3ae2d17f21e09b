import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { verifiedCopy } from "../../src/db/stored-copy.ts";
import { startOn } from "../support/backups/backed-up-server.ts";
import { sized } from "../support/tries.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** How long messages are posted, and how long another program reads before it begins anew, in milliseconds. */
const postMs = sized(2_000, 180_000);
const readMs = sized(200, 80_000);

const script = join(import.meta.dir, "../support/servers/foreign-reader.ts");

async function startShared() {
  const home = temporaryFolder();
  const data = join(home, "data");
  const server = await startOn(data, home, { shared: true });
  const token = readFileSync(join(home, "key"), "utf8").trim();
  const client = createClient({ baseUrl: server.url, token });
  await client.call("createBoard", { body: { name: "docs" } });
  return { home, data, server, client, database: join(data, "service.db") };
}

test(
  "another program reads the database and writes its own table while messages are posted, and none is lost",
  async () => {
    const { home, data, server, client, database } = await startShared();
    const other = Bun.spawn([process.execPath, script, database, String(readMs)], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    await other.stdout.getReader().read();
    const params = { board: "docs" };
    const ids: string[] = [];
    for (const end = performance.now() + postMs; performance.now() < end;) {
      const { id } = await client.call("postMessage", { params, body: { body: `${ids.length}` } });
      ids.push(id);
    }
    await other.stdin.end();
    expect(await other.exited).toBe(0);
    await server.stop();
    // Nobody reads any more, so the whole log is in the file.
    expect(statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    const { boards } = verifiedCopy(database);
    expect(boards[0]!.seq).toBeGreaterThanOrEqual(ids.length);
    const sql = new Database(database, { readonly: true });
    expect(sql.query("SELECT seq FROM _litestream_seq").get()).not.toBeNull();
    const stored = sql.query("SELECT id FROM message ORDER BY place").all() as { id: string }[];
    expect(stored.map(({ id }) => id)).toEqual(ids);
    sql.close();
    // The foreign table stands in nobody's way at the next start, which has the database alone.
    await (await startOn(data, home)).stop();
  },
  postMs + 30_000,
);

test("two servers never have one database, shared or not", async () => {
  const { home, data, server } = await startShared();
  for (const shared of [true, false])
    await expect(startOn(data, home, { shared })).rejects.toMatchObject({
      code: "server_already_running",
    });
  await server.stop();
  const alone = await startOn(data, home);
  await expect(startOn(data, home, { shared: true })).rejects.toMatchObject({
    code: "server_already_running",
  });
  await alone.stop();
  await (await startOn(data, home, { shared: true })).stop();
});

test("a server that shares its database makes no backup of it, and says what to use", async () => {
  const { client } = await startShared();
  await client.call("createBackup", { body: { name: "one" } });
  const params = { backup: "one" };
  while ((await client.call("getBackup", { params })).state === "running") await Bun.sleep(5);
  const { state, error } = await client.call("getBackup", { params });
  expect([state, error!.code]).toEqual(["failed", "storage_unsupported"]);
  expect(error!.hint).toContain("Litestream");
});
