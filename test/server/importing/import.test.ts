import { expect, test } from "bun:test";
import { archiveOf, partsOf } from "../../support/boards/board-archive.ts";
import { docs, eventsOf, post } from "../../support/boards/docs-board.ts";
import { put } from "../../support/boards/board-with-files.ts";
import { openTask, startBoardWithTasks, task } from "../../support/boards/board-with-tasks.ts";
import { brokenLaws } from "../../support/database-laws.ts";
import { brokenAt } from "../../support/log-chain.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";

/** A board on which everything happened that a board can have, and its archive. */
async function startOrigin() {
  const scene = await startBoardWithTasks();
  const { world, ana, bo, writer, second } = scene;
  await openTask(writer, "One", { about: "Why.", start: true });
  await openTask(ana, "Two");
  await second.call("joinTask", task(1));
  const { id } = await post(ana, {
    body: "The plan of @bo",
    to: ["@bo", "@writer"],
    expects_reply: true,
  });
  await post(writer, { body: "Agreed.", reply_to: id, about: ["1"] });
  await bo.call("addReaction", { params: { message: id, reaction: "heart" } });
  await post(writer, { body: "Which one?", ask: { options: ["a", "b"] } });
  await put(ana, "notes/plan.md", { maintained: true });
  await put(ana, "brief.md", { brief: true });
  await ana.call("createJoinCode", { ...docs, body: { role: "member" } });
  return { ...scene, world };
}

test("a board comes with all that it has, and its people have left", async () => {
  const { world, ana } = await startOrigin();
  const before = {
    events: await eventsOf(ana),
    messages: await ana.call("listMessages", { ...docs, query: { limit: 200 } }),
    threads: await ana.call("listThreads", docs),
    files: await ana.call("listFiles", docs),
    found: await ana.call("searchBoard", { ...docs, query: { q: "plan" } }),
  };
  const archive = archiveOf(await partsOf(world, ana));
  const other = await startWorld();
  const board = await other.admin.importBoard({}, archive);
  expect(board).toMatchObject({ name: "docs", lifecycle: "active", on_board: true, unread: 0 });
  expect(board.created_by).toMatchObject({ name: "ana", origin: "https://old.example.org" });

  const events = await eventsOf(other.admin);
  const [log, origins] = [
    events.map(({ origin: _, ...event }) => event),
    events.map(({ origin }) => origin),
  ];
  expect(log.slice(0, before.events.length)).toEqual(before.events);
  expect(origins.slice(0, before.events.length)).toEqual(
    before.events.map(() => "https://old.example.org"),
  );
  expect(origins.at(-1)).toBeUndefined();
  expect(brokenAt(events as never)).toBeNull();
  const after = events
    .slice(before.events.length)
    .map(({ type, actor }) => `${type} ${actor.kind}`);
  expect(after[0]).toBe("board.imported system");
  expect(after.filter((one) => one.startsWith("ask.withdrawn"))).toHaveLength(1);
  expect(after.filter((one) => one.startsWith("joincode.revoked")).length).toBeGreaterThan(0);
  expect(after.at(-1)).toBe("member.joined human");

  const { messages } = await other.admin.call("listMessages", { ...docs, query: { limit: 200 } });
  expect(messages.map(({ id, body, seq, at }) => ({ id, body, seq, at }))).toEqual(
    before.messages.messages.map(({ id, body, seq, at }) => ({ id, body, seq, at })),
  );
  for (const { from, sender } of messages) {
    expect(from.origin).toBe("https://old.example.org");
    expect(sender).toMatch(/^other_/);
  }
  const { threads } = await other.admin.call("listThreads", docs);
  expect(threads.map(({ root }) => root.id)).toEqual(
    before.threads.threads.map(({ root }) => root.id),
  );
  const { files } = await other.admin.call("listFiles", docs);
  expect(files.map(({ id, name, latest }) => [id, name, latest.digest])).toEqual(
    before.files.files.map(({ id, name, latest }) => [id, name, latest.digest]),
  );
  const found = await other.admin.call("searchBoard", { ...docs, query: { q: "plan" } });
  expect(found.hits.map(({ seq }) => seq)).toEqual(before.found.hits.map(({ seq }) => seq));
  const { tasks } = await other.admin.call("listTasks", docs);
  expect(tasks.map(({ state, owner }) => [state, owner])).toEqual([
    ["open", null],
    ["open", null],
  ]);
  const { members } = await other.admin.call("listMembers", docs);
  expect(members.map(({ name }) => name)).toEqual(["ana"]);
  expect(other.db.read(brokenLaws)).toEqual([]);
  other.check();
  world.stop();
  other.stop();
});
