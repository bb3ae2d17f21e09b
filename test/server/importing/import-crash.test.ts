import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { openDatabase } from "../../../src/db/engine/database.ts";
import { archiveOf, madeParts } from "../../support/boards/board-archive.ts";
import { eventsOf } from "../../support/boards/docs-board.ts";
import { brokenLaws } from "../../support/database-laws.ts";
import { brokenAt } from "../../support/log-chain.ts";
import { builtService, newHome, spawnServer } from "../../support/servers/server-as-process.ts";
import { timesMore } from "../../support/tries.ts";

const homes: ReturnType<typeof newHome>[] = [];
const servers: Awaited<ReturnType<typeof spawnServer>>[] = [];
beforeAll(builtService, 60_000);
afterAll(async () => {
  for (const server of servers) if (server.child.exitCode === null) await server.kill();
  for (const each of homes) each.remove();
});

async function startServer(home: string) {
  const server = await spawnServer(home);
  servers.push(server);
  return server;
}

const rounds = timesMore(5);

test("whatever moment of an import a server is killed at, the board is there whole or not at all", async () => {
  const home = newHome();
  homes.push(home);
  let server = await startServer(home.home);
  const url = await server.ready();
  const owner = createClient({ baseUrl: url, token: home.ownerToken() });
  const sizes = { messages: 1500, files: 20 };
  const began = performance.now();
  await owner.importBoard({}, archiveOf(madeParts(sizes)));
  const whole = performance.now() - began;

  let came = 0;
  for (let round = 0; round < rounds; round++) {
    const parts = madeParts(sizes);
    const archive = archiveOf(parts);
    const { id, name } = parts.manifest["board"] as { id: string; name: string };
    const importing = owner.importBoard({}, archive).then(
      () => true,
      () => false,
    );
    await Bun.sleep((whole * (round + 0.5)) / rounds);
    await server.kill();
    const answered = await importing;

    const db = openDatabase(home.database);
    const there = db.read((tx) => tx.get("SELECT 1 FROM board WHERE id = ?", id)) !== null;
    expect(db.read(brokenLaws)).toEqual([]);
    db.close();
    if (answered) expect(there).toBe(true);
    if (there) came++;

    server = await startServer(home.home);
    expect(await server.ready()).toBe(url);
    // What a killed import had staged is gone.
    expect(readdirSync(join(home.home, "data/files")).filter((one) => one === "incoming")).toEqual(
      [],
    );
    if (!there) await owner.importBoard({}, archive);
    const events = await eventsOf(owner, name);
    expect(events.slice(0, parts.events.length)).toMatchObject(parts.events as never);
    expect(brokenAt(events as never)).toBeNull();
    for (const { data } of parts.events.filter(({ type }) => type === "file.version_added")) {
      const { file_id: file, digest } = data as Record<string, string>;
      const { body } = await owner.download({
        params: { board: name, file: file!, version: "1" },
      });
      const bytes = new Uint8Array(await new Response(body).arrayBuffer());
      expect(`sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`).toBe(digest!);
    }
  }
  expect(came).toBeLessThan(rounds);
}, 60_000);

test("an import takes memory for a part of its archive only", async () => {
  const home = newHome();
  homes.push(home);
  const server = await startServer(home.home);
  const owner = createClient({ baseUrl: await server.ready(), token: home.ownerToken() });
  const most = () =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))![1]) *
    1024;
  await owner.importBoard({}, archiveOf(madeParts({ messages: 200 })));
  const before = most();
  const archive = archiveOf(madeParts({ messages: timesMore(8000) }));
  const began = performance.now();
  await owner.importBoard({}, archive);
  const grown = most() - before;
  if (process.env["SHOW_FIGURES"])
    console.log({
      bytes: archive.size,
      seconds: (performance.now() - began) / 1000,
      grown: grown / 2 ** 20,
    });
  expect(grown).toBeLessThan(160 * 2 ** 20);
}, 120_000);
