import { expect, test } from "bun:test";
import { archiveOf, partsOf, smallArchive } from "../../support/boards/board-archive.ts";
import { docs, eventsOf, post } from "../../support/boards/docs-board.ts";
import { put } from "../../support/boards/board-with-files.ts";
import { openTask, startBoardWithTasks, task } from "../../support/boards/board-with-tasks.ts";
import { brokenLaws } from "../../support/database-laws.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";

async function startOrigin() {
  const scene = await startBoardWithTasks();
  const { ana, bo, writer } = scene;
  await openTask(writer, "One", { start: true });
  await post(ana, { body: "Do it, @writer", to: ["@writer"], expects_reply: true });
  await post(writer, { body: "which?", ask: { options: ["a", "b"] }, to: ["@bo"] });
  await put(bo, "plan.md");
  return scene;
}

test("an imported board lives on: members, tasks, attention, inbox and removal as on any other", async () => {
  const { world, ana: owner } = await startOrigin();
  const target = await startWorld();
  const { admin } = target;
  const bo = await target.person("bo");
  const query = { person: ["@bo=@bo"] };
  await admin.importBoard({ query }, archiveOf(await partsOf(world, owner)));

  // The local bo has the place of the foreign one, and none of what that one wrote or was asked.
  const { members } = await admin.call("listMembers", docs);
  expect(members.map(({ name, access }) => [name, access])).toEqual([
    ["ana", "admin"],
    ["bo", "member"],
  ]);
  expect((await bo.call("getAttention")).items).toEqual([]);
  expect(await bo.call("getBoard", docs)).toMatchObject({ unread: 0, needs_reply: 0 });

  // A new seat may have the name of a stand-in, and begins at the head.
  const writer = await target.seat(admin, "docs", { name: "writer" });
  expect((await writer.call("getInbox")).messages).toEqual([]);
  const question = await post(bo, {
    body: "And now, @writer?",
    to: ["@writer"],
    expects_reply: true,
  });
  expect(question.from.origin).toBeUndefined();
  const { messages } = await writer.call("getInbox");
  expect(messages.map(({ id, sender }) => [id, sender])).toEqual([[question.id, "other_person"]]);
  await post(writer, { body: "Now this.", reply_to: question.id });
  await writer.call("startTask", task(1));
  const next = await openTask(writer, "Another");
  expect(next.ref).toBe("DOC-2");
  await put(admin, "plan.md", { base: 1 });
  const asked = await post(writer, { body: "this?", ask: { options: ["a"] }, to: ["@bo"] });
  expect((await bo.call("getAttention")).items.length).toBe(1);
  await post(bo, { body: "a", reply_to: asked.id, answer: { option: 1 } });

  // Nobody can answer what was asked on the other server, or write to who stayed there.
  const old = (await eventsOf(admin)).find(({ data }) => data?.["ask"])!.data![
    "message_id"
  ] as string;
  const late = post(admin, { body: "a", reply_to: old, to: ["@writer"], answer: { option: 1 } });
  expect((await refusalOf(late)).code).toMatch(/not_asked|ask_closed/);

  await admin.call("removePerson", { params: { board: "docs", handle: "bo" } });
  await admin.call("archiveBoard", docs);
  await admin.call("deleteBoard", docs);
  expect(target.db.read(brokenLaws)).toEqual([]);
  target.check();
});

test("an archived board comes archived, and works once it is restored", async () => {
  const { world, ana: owner } = await startOrigin();
  await owner.call("archiveBoard", docs);
  const target = await startWorld();
  const board = await target.admin.importBoard({}, archiveOf(await partsOf(world, owner)));
  expect(board.lifecycle).toBe("archived");
  expect((await refusalOf(post(target.admin, "too early"))).code).toBe("board_archived");
  await target.admin.call("restoreBoard", docs);
  await post(target.admin, "now");
  expect(target.db.read(brokenLaws)).toEqual([]);
});

test("a board that came once comes to a third server with the origins of both", async () => {
  const { world, ana: owner } = await startOrigin();
  const second = await startWorld();
  await second.admin.importBoard(
    { query: { name: "moved" } },
    archiveOf(await partsOf(world, owner)),
  );
  const moved = { params: { board: "moved" } };
  await second.admin.call("postMessage", { ...moved, body: { body: "from the second" } });
  const parts = await partsOf(second, second.admin, "moved");
  const strangers = second.db.read((tx) =>
    tx.all<{ id: string; handle: string; origin: string }>(
      "SELECT id, handle, origin FROM stand_in",
    ),
  );
  parts.people.push(...strangers);
  parts.manifest["server"].address = "https://second.example.org";

  const third = await startWorld();
  const board = await third.admin.importBoard({}, archiveOf(parts));
  expect(board.name).toBe("moved");
  const { messages } = await third.admin.call("listMessages", moved);
  expect(new Set(messages.map(({ from }) => from.origin))).toEqual(
    new Set(["https://old.example.org", "https://second.example.org"]),
  );
  expect(third.db.read(brokenLaws)).toEqual([]);
});

test("one import runs at a time", async () => {
  const target = await startWorld();
  let give: (bytes: Uint8Array | null) => void = () => {};
  const slow = new ReadableStream<Uint8Array>({
    start(controller) {
      give = (bytes) => (bytes ? controller.enqueue(bytes) : controller.close());
    },
  });
  const archive = smallArchive();
  const first = target.admin.importBoard({}, { size: archive.size, stream: () => slow } as never);
  const whole = new Uint8Array(await archive.arrayBuffer());
  give(whole.subarray(0, 100));
  const other = await refusalOf(target.admin.importBoard({}, smallArchive()));
  expect([other.status, other.code]).toEqual([409, "import_running"]);
  give(whole.subarray(100));
  give(null);
  expect((await first).name).toStartWith("came-");
  await target.admin.importBoard({}, smallArchive());
});

test("somebody who is named twice comes once, as an owner if either was", async () => {
  const { world, ana: owner } = await startOrigin();
  const target = await startWorld();
  await target.person("bo");
  const archive = archiveOf(await partsOf(world, owner));
  const query = { person: ["@ana=@bo", "@bo=@bo", "@bo=@ana"] };
  await target.admin.importBoard({ query }, archive);
  const { members } = await target.admin.call("listMembers", docs);
  expect(members.map(({ name, access }) => [name, access])).toEqual([
    ["ana", "admin"],
    ["bo", "admin"],
  ]);
});
