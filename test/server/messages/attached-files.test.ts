import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { file, put, startBoardWithTasks } from "../../support/boards/board-with-files.ts";
import { docs, eventsOf, guestOn, post, setPolicy } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

/** Where a file was posted, as a reader is told: the message's seq and the version. */
const postedIn = async (by: Parameters<typeof post>[0], name: string) =>
  (await by.call("getFile", file(name))).posted_in.map(({ seq, version }) => [seq, version]);

/** The same file, so many times. */
const times = (count: number) => Array.from({ length: count }, () => ({ file: "a" }));

test("a message pins versions of files: what it shows stays, whatever becomes of the file", async () => {
  const { ana, bo, writer } = await startBoardWithTasks();
  const one = await put(ana, "notes/plan.md", { text: "one" });
  const two = await put(ana, "notes/plan.md", { base: 1, text: "two" });
  const other = await put(bo, "other.md");
  const message = await post(writer, {
    body: "look",
    files: [{ file: "notes/plan.md", version: 1 }, { file: other.id }, { file: one.id }],
  });
  const pinned = [
    { id: one.id, name: "notes/plan.md", version: 1, digest: one.latest.digest },
    { id: other.id, name: "other.md", version: 1, digest: other.latest.digest },
    { id: one.id, name: "notes/plan.md", version: 2, digest: two.latest.digest },
  ];
  expect(message.files).toEqual(pinned);
  expect((await eventsOf(ana)).at(-1)?.data?.["files"]).toEqual(pinned);
  await ana.call("updateFile", { ...file(one.id), body: { name: "renamed.md" } });
  await put(ana, "renamed.md", { base: 2 });
  await bo.call("removeFile", file("other.md"));
  const { message: read } = await bo.call("getMessage", { params: { message: message.id } });
  expect(read.files).toEqual(pinned);
  const { messages } = await bo.call("listMessages", docs);
  expect(messages.map(({ files }) => files)).toEqual([pinned]);
  const download = { params: { board: "docs", file: other.id, version: "1" } };
  expect(await new Response((await bo.download(download)).body).text()).toBe("other.md");
});

test("a message without files has none, and the same version twice is attached once", async () => {
  const { ana } = await startBoardWithTasks();
  const { id } = await put(ana, "a");
  expect(await post(ana, { body: "none", files: [] })).not.toHaveProperty("files");
  expect((await eventsOf(ana)).at(-1)?.data).not.toHaveProperty("files");
  const files = [{ file: "a" }, { file: id, version: 1 }, { file: "a", version: 1 }];
  expect((await post(ana, { body: "once", files })).files).toHaveLength(1);
});

test("files that the board does not have refuse a message, which writes nothing", async () => {
  const { ana } = await startBoardWithTasks();
  await put(ana, "a");
  await ana.call("createBoard", { body: { name: "plaza" } });
  const plaza = { params: { board: "plaza" }, query: { name: "there" } };
  const { id } = await ana.upload(plaza, new Blob(["there"]));
  const tried = (files: { file: string; version?: number }[]) =>
    verdictOf(post(ana, { body: "x", files }));
  expect(await tried([{ file: "a" }, { file: "b" }])).toBe("404 file_not_found");
  expect(await tried([{ file: id }])).toBe("404 file_not_found");
  expect(await tried([{ file: "a", version: 2 }])).toBe("404 version_not_found");
  expect(await tried([{ file: "a", version: 0 }])).toBe("400 invalid_request");
  expect(await tried(times(9))).toBe("400 invalid_request");
  expect(await tried([{ file: "" }])).toBe("400 invalid_request");
  expect((await post(ana, { body: "x", files: times(8) })).files).toHaveLength(1);
});

test("a file says where it was posted, as far as the reader may read it", async () => {
  const { world, ana, bo, writer, scout } = await startBoardWithTasks();
  await put(ana, "a");
  await put(ana, "a", { base: 1 });
  const first = await post(ana, {
    body: "both",
    files: [{ file: "a" }, { file: "a", version: 1 }],
  });
  const reply = await post(bo, {
    body: "again",
    reply_to: first.id,
    to: ["@writer"],
    files: [{ file: "a", version: 2 }],
  });
  await post(bo, "without");
  expect((await ana.call("getFile", file("a"))).posted_in).toEqual([
    { message_id: first.id, seq: first.seq, version: 1, thread_root_seq: null },
    { message_id: first.id, seq: first.seq, version: 2, thread_root_seq: null },
    { message_id: reply.id, seq: reply.seq, version: 2, thread_root_seq: first.seq },
  ]);
  await setPolicy(world, { visibility: "addressed" });
  const both = [
    [first.seq, 1],
    [first.seq, 2],
  ];
  expect(await postedIn(scout, "a")).toEqual(both);
  expect(await postedIn(writer, "a")).toEqual([...both, [reply.seq, 2]]);
});

test("a guest attaches what is there", async () => {
  const { world, ana } = await startBoardWithTasks();
  await put(ana, "a");
  const gus = await guestOn(world, "gus");
  for (const by of [gus, gus.agent])
    expect((await post(by, { body: "look", files: [{ file: "a" }] })).files).toHaveLength(1);
});

test("answers count among what happened since a version, as far as the reader may read them", async () => {
  const { world, ana, bo, writer, scout } = await startBoardWithTasks();
  await put(ana, "a");
  const { id } = await post(writer, { body: "Which?", to: ["@bo"], ask: {} });
  await post(bo, { body: "This.", reply_to: id });
  await post(writer, { body: "Never mind.", reply_to: id, answer: { withdrawn: true } });
  const since = async (by: Client) => (await by.call("getFile", file("a"))).freshness.answers_since;
  expect([await since(ana), await since(scout)]).toEqual([2, 2]);
  await setPolicy(world, { visibility: "addressed" });
  expect([await since(ana), await since(writer), await since(scout)]).toEqual([2, 2, 0]);
});
