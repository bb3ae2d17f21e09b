import { afterEach, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client } from "../../../src/client/client.ts";
import { follow } from "../../../src/cli/messages/watch-loop.ts";
import { headOf, makeDocs, post } from "../../support/boards/docs-board.ts";
import { markRestored } from "../../support/restores.ts";
import { startWorld, type World } from "../../support/servers/server-in-process.ts";
import { until } from "../../support/wait-until.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/**
 * A board with a message, somebody who watches it, and a backup of that moment. Later the server can be stopped and another
 * one started in its place, on a database that the test has changed.
 */
async function startWatched() {
  const folder = mkdtempSync(join(tmpdir(), "service-watch-"));
  folders.push(folder);
  const [file, backup] = [join(folder, "service.db"), join(folder, "backup.db")];
  let world: World | null = await startWorld({ file });
  const { url, admin } = world;
  const { id } = await makeDocs(world);
  await post(admin, "in the backup");
  world.stop();
  copyFileSync(file, backup);
  world = await startWorld({ file });

  const api = createClient({
    baseUrl: url,
    token: admin.token,
    fetch: async (request) => {
      if (!world) throw new Error("nothing listens");
      return world.handle(request);
    },
  });
  const shown: string[] = [];
  const restores: number[] = [];
  const connections: boolean[] = [];
  const leaving = new AbortController();
  const { generation } = await api.call("getInfo");
  const following = follow(
    api,
    { board: { id, name: "docs" }, filter: {}, position: await headOf(api), generation },
    {
      shown: async ({ body }) => void shown.push(body),
      connected: (there) => void connections.push(there),
      restored: (position) => void restores.push(position),
    },
    leaving.signal,
  );
  await until(() => world!.streams.count === 1, "it is connected");
  return {
    api,
    shown,
    restores,
    connections,
    post: (text: string) => post(api, text),
    showing: (...texts: string[]) =>
      until(() => shown.length >= texts.length, `${texts} is shown`).then(() =>
        expect(shown).toEqual(texts),
      ),
    /** Puts the backup in the place of the server's database, changes it, and starts a server on it. */
    async restore(change: (next: World, ana: Client) => Promise<unknown>) {
      world!.stop();
      world = null;
      await until(() => connections.at(-1) === false, "the connection is lost");
      for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
      copyFileSync(backup, file);
      const next = await startWorld({ file });
      await change(next, next.as(admin.token));
      world = next;
    },
    async end() {
      leaving.abort();
      await following;
      world!.check();
      world!.stop();
    },
  };
}

test("what is posted after a restore is shown, though it has positions that were shown before", async () => {
  const watched = await startWatched();
  for (const text of ["one", "two", "three"]) await watched.post(text);
  await watched.showing("one", "two", "three");
  await watched.restore(async (next, ana) => {
    await markRestored(next.db);
    // Both are there before the connection is.
    await post(ana, "four");
    await post(ana, "five");
  });
  await watched.showing("one", "two", "three", "four", "five");
  expect(watched.restores).toEqual([4]);
  await watched.post("six");
  await watched.showing("one", "two", "three", "four", "five", "six");
  await watched.end();
});

test("a restore far back in a log that has grown past the position again hides nothing either", async () => {
  const watched = await startWatched();
  const lost = ["one", "two", "three"];
  for (const text of lost) await watched.post(text);
  await watched.showing(...lost);
  const texts = Array.from({ length: 450 }, (_, i) => `after ${i}`);
  await watched.restore(async (next, ana) => {
    await markRestored(next.db);
    await Promise.all(texts.map((text) => post(ana, text)));
  });
  await until(() => watched.shown.length >= lost.length + texts.length, "all are shown");
  expect(watched.shown.toSorted()).toEqual([...lost, ...texts].toSorted());
  await watched.end();
});

test("a position beyond the head is dropped, also without an event of the restore", async () => {
  const watched = await startWatched();
  for (const text of ["one", "two", "three"]) await watched.post(text);
  await watched.showing("one", "two", "three");
  await watched.restore((next) => markRestored(next.db, { eventless: true }));
  await until(() => watched.connections.at(-1) === true, "it is connected again");
  await until(() => watched.restores.length === 1, "the restore is noticed");
  await watched.post("four");
  await watched.showing("one", "two", "three", "four");
  await watched.end();
});

test("a restore that takes back nothing that was shown shows nothing twice", async () => {
  const watched = await startWatched();
  await watched.restore((next) => markRestored(next.db));
  await until(() => watched.restores.length === 1, "the restore is noticed");
  await watched.post("one");
  await watched.showing("one");
  await watched.end();
});
