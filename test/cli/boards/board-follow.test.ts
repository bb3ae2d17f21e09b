import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { put } from "../../support/boards/board-with-files.ts";
import { docs, eventsOf, makeDocs, post, seatOnDocs } from "../../support/boards/docs-board.ts";
import { newMachine, type Started } from "../../support/commands/machine.ts";
import { badGateway, clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { verifyArchive } from "../../../src/cli/boards/moving/verify-archive.ts";

const running: Started[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) one.kill("SIGINT");
});

/** A server with the board docs, and a machine that follows it into a file. */
async function startFollowed() {
  const server = await clockedServer();
  const machine = newMachine();
  await machine.ok(["login", server.url], { stdin: server.world.admin.token });
  await makeDocs(server.world);
  const scout = await seatOnDocs(server.world, "scout");
  await put(scout, "plan.md", { text: "The first plan." });
  const copy = join(machine.home, "docs.board.tar");
  const words = ["board", "export", "docs", "-o", copy, "--server", server.url];
  const follow = () => {
    const started = machine.start([...words, "--follow", "--every", "1s"]);
    running.push(started);
    return started;
  };
  const head = async () => (await server.world.admin.call("getBoard", docs)).head_seq;
  /** The queries of the exports that were asked for. */
  const exports: string[] = [];
  server.between = (request, answer) => {
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith("/export")) exports.push(search);
    return answer();
  };
  return { server, machine, scout, copy, words, follow, head, exports };
}

const upTo = (seq: number) => `up to #${seq}, verified.`;

test("a copy follows its board, fetches only what is new, and is imported as the board is", async () => {
  const { server, machine, scout, copy, follow, head, exports } = await startFollowed();
  const first = await head();
  const following = follow();
  await following.saying(upTo(first));
  await post(scout, "The cellar is wet.");
  await put(scout, "plan.md", { text: "The second plan.", base: 1 });
  await put(scout, "same.md", { text: "The first plan." });
  const last = await head();
  await following.saying(upTo(last));
  following.kill("SIGINT");
  expect((await following.end()).code).toBe(0);
  // What came between two looks may be fetched in two parts.
  expect(exports[0]).toBe("");
  expect(exports.slice(1).length).toBeGreaterThan(0);
  expect(exports[1]).toBe(`?since=${first}`);
  const { head: copied, events, files } = await verifyArchive(copy);
  expect([copied.seq, events, files]).toEqual([last, last, 2]);
  expect(readdirSync(machine.home).filter((name) => name.includes("docs.board"))).toEqual([
    "docs.board.tar",
  ]);

  // Started again it goes on from there.
  await post(scout, "It dries.");
  exports.length = 0;
  const again = follow();
  await again.saying(upTo(await head()));
  expect(exports).toEqual([`?since=${last}`]);
  again.kill("SIGINT");
  await again.end();

  const away = await clockedServer();
  const archive = new Blob([readFileSync(copy)]);
  await away.world.admin.importBoard({ query: {} }, archive);
  const here = await eventsOf(server.world.admin);
  const there = await eventsOf(away.world.admin);
  expect(there.slice(0, here.length).map(({ hash }) => hash)).toEqual(here.map(({ hash }) => hash));
});

test("a server that does not answer is waited for, and the copy goes on after that", async () => {
  const { server, scout, follow, head } = await startFollowed();
  const following = follow();
  await following.saying(upTo(await head()));
  const { between } = server;
  server.between = async () => badGateway();
  await following.warning("cannot be reached");
  await post(scout, "Meanwhile.");
  const last = await head();
  server.between = between;
  await following.saying(upTo(last));
});

test("a copy that has more than the server stays as it is, and so does one of another log", async () => {
  const { server, scout, machine, words, copy, head } = await startFollowed();
  await post(scout, "Lost by a restore.");
  await machine.ok(words);
  const kept = readFileSync(copy);
  const world = server.world;
  // As a restore leaves it: the log ends earlier.
  await world.db.write((tx) => {
    tx.run("DELETE FROM message WHERE place = (SELECT max(place) FROM event)");
    tx.run("DELETE FROM recipient WHERE place = (SELECT max(place) FROM event)");
    tx.run("DELETE FROM event WHERE place = (SELECT max(place) FROM event)");
  });
  const follow = [...words, "--follow"];
  expect(await head()).toBeGreaterThan(0);
  const shorter = await machine.run(follow);
  expect([shorter.code, shorter.stderr]).toEqual([
    1,
    expect.stringContaining("(board_head_changed)"),
  ]);
  for (const text of ["Another", "and one more"]) await post(scout, text);
  const other = await machine.run(follow);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("stays as it is")]);
  expect(readFileSync(copy).equals(kept)).toBe(true);
});

test("a board that is deleted ends the following, and its copy stays", async () => {
  const { server, follow, head, copy } = await startFollowed();
  const following = follow();
  await following.saying(upTo(await head()));
  await server.world.admin.call("archiveBoard", docs);
  await server.world.admin.call("deleteBoard", docs);
  const { code, stderr } = await following.end();
  expect([code, stderr]).toEqual([1, expect.stringContaining("(board_not_found)")]);
  expect((await verifyArchive(copy)).board.name).toBe("docs");
});

test("what is no copy of the board is not written over", async () => {
  const { server, machine, words, copy } = await startFollowed();
  const follow = [...words, "--follow"];
  writeFileSync(copy, "My notes.");
  const notes = await machine.run(follow);
  expect([notes.code, notes.stderr]).toEqual([2, expect.stringContaining("no whole archive")]);
  expect(readFileSync(copy, "utf8")).toBe("My notes.");
  await server.world.admin.call("createBoard", { body: { name: "plans" } });
  await machine.ok(["board", "export", "plans", "-o", copy, "--force", "--server", server.url]);
  const plans = await machine.run(follow);
  expect([plans.code, plans.stderr]).toEqual([2, expect.stringContaining("of another board")]);
  const early = await machine.run([...follow, "--since", "900"]);
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining("not at #900")]);
  expect((await machine.run([...words, "--every", "1m"])).code).toBe(2);
});

test("what came since an event is an archive of its own, which no server takes for a board", async () => {
  const { scout, machine, words, copy, head } = await startFollowed();
  const since = await head();
  await post(scout, "New.");
  const part = await machine.json([...words, "--since", String(since)]);
  expect(part).toMatchObject({ events: 1, files: 0, head: { seq: since + 1 } });
  await expect(verifyArchive(copy)).rejects.toMatchObject({
    details: { problem: `its log begins after #${since}, and not after #0` },
  });
  const away = await clockedServer();
  const importing = away.world.admin.importBoard({ query: {} }, new Blob([readFileSync(copy)]));
  await expect(importing).rejects.toMatchObject({ code: "board_archive_invalid" });
  const tooFar = [...words, "--force", "--since", String(since + 9)];
  const { error } = (await machine.run([...tooFar, "--json"])).json();
  expect(error).toMatchObject({
    code: "board_head_changed",
    message: expect.stringContaining(`nothing came after #${since + 9}`),
    hint: expect.stringContaining(`up to #${since + 1}`),
  });
});
