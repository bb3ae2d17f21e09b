import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createClient } from "../../../src/client/client.ts";
import { put } from "../../support/boards/board-with-files.ts";
import {
  docs,
  eventsOf,
  guestOn,
  makeDocs,
  personOnDocs,
  post,
  seatOnDocs,
} from "../../support/boards/docs-board.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { startListening } from "../../support/servers/server-on-port.ts";
import { untilTrue } from "../../support/wait-until.ts";

const home = await startWorld();
const away = await startWorld();
await makeDocs(home, { title: "The handbook" });
const ben = await personOnDocs(home, "ben");
const cleo = await home.person("cleo");
const scout = await seatOnDocs(home, "scout");
const text = "ab".repeat(70_000);

async function exported(by = home.admin): Promise<Blob> {
  const { size, body } = await by.exportBoard(docs);
  const blob = await new Response(body).blob();
  expect(blob.size).toBe(size);
  return new Blob([blob]);
}
/** The names of the files in a tar, each of which says in its header how long it is. */
async function parts(archive: Blob): Promise<string[]> {
  const bytes = Buffer.from(await archive.arrayBuffer());
  const names: string[] = [];
  for (let at = 0; bytes[at] !== 0;) {
    names.push(bytes.toString("latin1", at, at + 100).replace(/\0.*$/s, ""));
    at +=
      512 + Math.ceil(Number.parseInt(bytes.toString("latin1", at + 124, at + 135), 8) / 512) * 512;
  }
  return names;
}

test("a board is exported by its owner and imported elsewhere, with every word, file and task", async () => {
  for (let number = 1; number <= 450; number++)
    await post(number % 2 ? ben : scout, `Message ${number}`);
  await put(ben, "plan.md", { text });
  await put(scout, "plan.md", { text: "second", base: 1 });
  await put(ben, "empty.txt", { text: "" });
  const { ref } = await ben.call("createTask", { ...docs, body: { title: "Write the index" } });
  const archive = await exported();
  // An empty file has bytes too: none of them.
  expect(await parts(archive)).toHaveLength(3 + 3);
  const board = await away.admin.importBoard({ query: {} }, archive);
  expect(board).toMatchObject({ name: "docs", lifecycle: "active" });
  const read = async (world: typeof home) => {
    const { messages } = await world.admin.call("listMessages", {
      ...docs,
      query: { limit: 200, newest: true },
    });
    const { tasks } = await world.admin.call("listTasks", docs);
    const { files } = await world.admin.call("listFiles", docs);
    return {
      messages: messages.map(({ id, body, from }) => [id, body, from.name]),
      tasks: tasks.map((task) => [task.ref, task.title]),
      files: files.map(({ id, name, latest }) => [id, name, latest.digest]),
    };
  };
  expect(await read(away)).toEqual(await read(home));
  expect((await read(home)).tasks).toEqual([[ref, "Write the index"]]);
  const before = await eventsOf(home.admin);
  const after = await eventsOf(away.admin);
  expect(after.slice(0, before.length).map(({ hash }) => hash)).toEqual(
    before.map(({ hash }) => hash),
  );
  const { body } = await away.admin.download({
    params: { board: "docs", file: "plan.md", version: "1" },
  });
  expect(await new Response(body).text()).toBe(text);
});

test("what is written while the archive is read is not in it, and it is whole", async () => {
  const { body, size } = await home.admin.exportBoard(docs);
  const reader = body.getReader();
  let read = (await reader.read()).value!.length;
  await post(ben, "Too late for it.");
  for (let next; !(next = await reader.read()).done;) read += next.value!.length;
  expect(read).toBe(size);
});

test("an archive tells nothing but what the board's log says: no credential, and no person whom it does not name", async () => {
  await post(ben, `Do you know ${(await cleo.call("getMe")).id}?`);
  const archive = await exported();
  const bytes = new TextDecoder("latin1").decode(await archive.arrayBuffer());
  const secrets = [home.admin, ben, scout].map(({ token }) => token!);
  const digests = home.db
    .read((tx) => [
      ...tx.all<{ digest: string }>("SELECT digest FROM access_key"),
      ...tx.all<{ digest: string }>("SELECT digest FROM seat_token"),
    ])
    .map(({ digest }) => digest);
  expect(digests.length).toBeGreaterThan(3);
  for (const secret of [...secrets, ...digests]) expect(bytes).not.toContain(secret);
  const people = JSON.parse(/\[\{"id":"hum_[^\n\0]*?\}\]/.exec(bytes)![0]) as { handle: string }[];
  expect(people.map(({ handle }) => handle).toSorted()).toEqual(["ana", "ben"]);
});

test("nobody but an owner exports a board, with a key; an archived one too", async () => {
  const tom = await guestOn(home, "tom");
  const refused = async (by: typeof ben) =>
    by.exportBoard(docs).then(
      () => "exported",
      (error: { code: string }) => error.code,
    );
  expect(
    await Promise.all([refused(ben), refused(cleo), refused(tom), refused(scout as never)]),
  ).toEqual(["owner_required", "not_on_board", "guest_not_allowed", "human_token_required"]);
  await home.admin.call("archiveBoard", docs);
  expect((await exported()).size).toBeGreaterThan(text.length);
  await home.admin.call("restoreBoard", docs);
});

test("a file whose bytes are gone is named, and nothing is sent", async () => {
  rmSync(home.filesFolder, { recursive: true });
  await expect(home.admin.exportBoard(docs)).rejects.toMatchObject({
    code: "record_damaged",
    message: expect.stringContaining("its bytes are missing"),
  });
});

test("two exports of one credential run at once, and the next one when one of them is over, however it ends", async () => {
  const world = await startWorld({ rateScale: 1 });
  const { admin } = world;
  await makeDocs(world);
  const ben = await personOnDocs(world, "ben");
  await admin.call("addOwner", { ...docs, body: { handle: "ben" } });
  const verdict = () =>
    admin.exportBoard(docs).then(
      async ({ body }) => new Response(body).bytes().then(() => "exported"),
      ({ status, code }: { status: number; code: string }) => `${status} ${code}`,
    );
  const [first, second] = [await admin.exportBoard(docs), await admin.exportBoard(docs)];
  expect(await verdict()).toBe("429 rate_limited");
  // Another person has a limit of their own.
  await (await ben.exportBoard(docs)).body.cancel();
  await first.body.cancel();
  expect(await verdict()).toBe("exported");
  await new Response(second.body).bytes();
  const again = [await admin.exportBoard(docs), await admin.exportBoard(docs)];
  expect(await verdict()).toBe("429 rate_limited");
  await Promise.all(again.map(({ body }) => body.cancel()));
  expect(await verdict()).toBe("exported");
  // A refusal counts for nothing: the bytes of a file are gone.
  await put(admin, "plan.md", { text: "lost" });
  rmSync(world.filesFolder, { recursive: true });
  for (let turn = 0; turn < 4; turn++) expect(await verdict()).toBe("500 record_damaged");
});

test("an export whose reader hangs up is over", async () => {
  const { server, key } = await startListening({ rateScale: 1 });
  const client = createClient({ baseUrl: server.url, token: key });
  await client.call("createBoard", { body: { name: "docs" } });
  // More than what a socket takes before it is read.
  const large = new Blob([Buffer.alloc(24 * 1024 * 1024, "x")]);
  await client.upload({ ...docs, query: { name: "large.txt" } }, large);
  const url = `${server.url}/v1/boards/docs/export`;
  const readers = await Promise.all(
    [1, 2].map(async () => {
      const abort = new AbortController();
      const headers = { authorization: `Bearer ${key}` };
      const { status, body } = await fetch(url, { headers, signal: abort.signal });
      await body!.getReader().read();
      return { status, abort };
    }),
  );
  expect(readers.map(({ status }) => status)).toEqual([200, 200]);
  await expect(client.exportBoard(docs)).rejects.toMatchObject({ code: "rate_limited" });
  for (const { abort } of readers) abort.abort();
  await untilTrue(
    () =>
      client.exportBoard(docs).then(
        async ({ body }) => body.cancel().then(() => true),
        () => false,
      ),
    "the exports to be over",
  );
});
