import { describe, expect, test } from "bun:test";
import type { World } from "../../support/servers/server-in-process.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import {
  file,
  fileEvents,
  listed,
  put,
  refused,
  startBoardWithTasks,
  textOf,
} from "../../support/boards/board-with-files.ts";
import { docs, headOf, post, setPolicy } from "../../support/boards/docs-board.ts";
import { seqOf } from "../../../src/db/log/log-place.ts";
import { verdictOf } from "../../support/raw-requests.ts";
import { statementsOf } from "../../support/statements.ts";
import { openTask, task } from "../../support/boards/board-with-tasks.ts";

const brief = { brief: true } as const;
const briefOf = async (by: World["admin"] | Awaited<ReturnType<World["seat"]>>) =>
  (await by.call("getBoard", docs)).brief;

describe("the brief", () => {
  test("is shown with its board, with what happened since as far as the reader may read it", async () => {
    const { world, ana, writer, scout } = await startBoardWithTasks();
    const stranger = await world.person("cy");
    expect(await briefOf(ana)).toBeNull();
    const made = await put(writer, "brief.md", brief);
    expect([made.maintained, made.latest.version]).toEqual([true, 1]);
    await post(ana, { body: "to writer", to: ["@writer"] });
    await openTask(ana);
    await ana.call("finishTask", { ...task(), body: { note: "x" } });
    expect(await briefOf(ana)).toEqual({
      file_id: made.id,
      name: "brief.md",
      version: 1,
      by: { name: "writer", kind: "agent", role: "member", owner: "ana" },
      at: made.latest.at,
      freshness: { messages_since: 1, tasks_done_since: 1, answers_since: 0 },
    });
    await setPolicy(world, { visibility: "addressed" });
    expect((await briefOf(scout))?.freshness.messages_since).toBe(0);
    expect(await stranger.call("getBoard", docs)).not.toHaveProperty("brief");
    const { boards } = await ana.call("listBoards");
    expect(boards.map((board) => board.brief?.version)).toEqual([1]);
  });

  test("is written as the brief alone", async () => {
    const { ana } = await startBoardWithTasks();
    for (const name of ["brief.md", "brief.html"]) {
      expect(await refused(ana, name)).toBe("409 brief_path_reserved");
      expect(await refused(ana, name, { base: 1 })).toBe("409 brief_path_reserved");
    }
    for (const name of ["plan.md", "notes/brief.md", "Brief.md", "brief.markdown"])
      expect(await refused(ana, name, brief)).toBe("422 invalid_request");
    expect(await refused(ana, "plan.md", { replace_format: true })).toBe("422 invalid_request");
    expect(await refused(ana, "brief.md", { replace_format: true })).toBe("422 invalid_request");
    await put(ana, "notes/brief.md");
    expect(await briefOf(ana)).toBeNull();
  });

  test("gets a version from a writer who names the current file and version", async () => {
    const { ana, bo } = await startBoardWithTasks();
    for (const more of [{ base: 1 }, { file_id: `fil_${"0".repeat(26)}` }])
      expect(await refused(ana, "brief.md", { ...brief, ...more })).toBe("409 file_changed");
    const { id, latest } = await put(ana, "brief.md", brief);
    const { by, at } = latest;
    for (const more of [
      {},
      { base: 0 },
      { base: 1 },
      { file_id: id },
      { base: 2, file_id: id },
      { base: 1, file_id: `fil_${"0".repeat(26)}` },
    ])
      expect(await refusalOf(put(bo, "brief.md", { ...brief, ...more }))).toMatchObject({
        status: 409,
        code: "file_changed",
        details: { version: 1, by, at },
      });
    const second = await put(bo, "brief.md", { ...brief, base: 1, file_id: id, maintained: false });
    expect([second.maintained, second.latest.version]).toEqual([true, 2]);
  });

  test("is changed to its other format in one step, or stays", async () => {
    const { ana, bo } = await startBoardWithTasks();
    const old = await put(ana, "brief.md", { ...brief, text: "old" });
    await ana.call("approveFile", { ...file("brief.md"), body: { version: 1 } });
    const of = (more: object) => ({ ...brief, ...more });
    // The other format is told before what changed.
    for (const more of [{}, { base: 7 }, { base: 1, file_id: old.id }])
      expect(await refused(bo, "brief.html", of(more))).toBe("409 brief_exists");
    const switching = { replace_format: true };
    for (const more of [{}, { base: 1 }, { base: 2, file_id: old.id }, { file_id: old.id }])
      expect(await refused(bo, "brief.html", of({ ...switching, ...more }))).toBe(
        "409 file_changed",
      );
    const page = await put(bo, "brief.html", {
      ...of({ ...switching, base: 1, file_id: old.id, text: "<h1>new</h1>" }),
    });
    expect(page).toMatchObject({
      maintained: true,
      approvals: [],
      latest: { version: 1, base: 0 },
    });
    expect(page.id).not.toBe(old.id);
    expect((await fileEvents(ana)).slice(2)).toEqual([
      ["file.removed", { name: "brief.md" }],
      [
        "file.version_added",
        { name: "brief.html", version: 1, base_version: 0, maintained: true, about: [] },
      ],
    ]);
    expect(await briefOf(ana)).toMatchObject({ file_id: page.id, name: "brief.html" });
    expect(await listed(ana)).toEqual(["brief.html"]);
    const before = await ana.call("getFile", file(old.id));
    expect(before.approvals.map(({ version }) => version)).toEqual([1]);
    expect(await textOf(ana, old.id)).toBe("old");
    // The number of the new one is that of the old one: the id tells them apart.
    expect(await refused(ana, "brief.html", of({ base: 1, file_id: old.id }))).toBe(
      "409 file_changed",
    );
    expect(await refused(ana, "brief.md", of({ ...switching, base: 1, file_id: old.id }))).toBe(
      "409 file_changed",
    );
  });

  test("made by several at once, in either format, is one", async () => {
    const { ana, bo, writer } = await startBoardWithTasks();
    const writing = [
      put(ana, "brief.md", brief),
      put(bo, "brief.html", brief),
      put(writer, "brief.md", brief),
    ];
    const ended = await Promise.allSettled(writing);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await listed(ana)).toHaveLength(1);
  });

  test("that is removed or renamed leaves the board without one", async () => {
    const { ana } = await startBoardWithTasks();
    const { id } = await put(ana, "brief.md", brief);
    const kept = await ana.call("updateFile", { ...file(id), body: { maintained: false } });
    expect(kept.maintained).toBe(true);
    expect(
      await verdictOf(ana.call("updateFile", { ...file(id), body: { name: "brief.html" } })),
    ).toBe("409 brief_path_reserved");
    const body = { name: "old-brief.md", maintained: false };
    expect((await ana.call("updateFile", { ...file(id), body })).maintained).toBe(false);
    expect(await briefOf(ana)).toBeNull();
    expect(await refused(ana, "brief.md", { ...brief, base: 1, file_id: id })).toBe(
      "409 file_changed",
    );
    await put(ana, "brief.html", brief);
    await ana.call("removeFile", file("brief.html"));
    expect(await briefOf(ana)).toBeNull();
    await put(ana, "brief.md", brief);
  });

  test("is work for the agent that wrote its newest version", async () => {
    const { ana, writer, second } = await startBoardWithTasks();
    const work = async (by: typeof writer) => (await by.call("getInbox")).work.brief;
    expect(await work(writer)).toBeNull();
    const { id, latest } = await put(writer, "brief.md", brief);
    await post(ana, "hello");
    expect(await work(writer)).toEqual({
      file_id: id,
      name: "brief.md",
      version: 1,
      at: latest.at,
      messages_since: 1,
      tasks_done_since: 0,
    });
    expect(await work(second)).toBeNull();
    await put(ana, "brief.md", { ...brief, base: 1, file_id: id });
    expect(await work(writer)).toBeNull();
  });

  test("counts for its writer only what came since it was last counted, and what it may read now", async () => {
    const { world, ana, writer, scout } = await startBoardWithTasks();
    await setPolicy(world, { visibility: "addressed" });
    const { id } = await put(writer, "brief.md", brief);
    const since = async () => (await writer.call("getInbox")).work.brief!.messages_since;
    const shown = async () => (await briefOf(writer))!.freshness.messages_since;
    for (let i = 0; i < 3; i++) await post(ana, { body: "x", to: ["@writer"] });
    expect([await since(), await shown()]).toEqual([3, 3]);

    const counted = await headOf(ana);
    await post(ana, "to all");
    await post(writer, { body: "own", to: ["@scout"] });
    await post(ana, { body: "not the writer's", to: ["@scout"] });
    const statements = await statementsOf(world, since);
    const walks = statements.filter(({ text }) => /^SELECT count.*role_target/.test(text));
    const begins = walks.map(({ values }) => seqOf(Number(values[2])));
    expect(begins.length).toBeGreaterThan(0);
    expect(Math.min(...begins)).toBeGreaterThanOrEqual(counted);
    expect([await since(), await shown()]).toEqual([5, 5]);

    await setPolicy(world, { visibility: "open" });
    expect([await since(), await shown()]).toEqual([6, 6]);
    await setPolicy(world, { visibility: "addressed" });
    expect(await since()).toBe(5);
    await put(writer, "brief.md", { ...brief, base: 1, file_id: id });
    expect([await since(), await shown()]).toEqual([0, 0]);
    expect((await briefOf(scout))?.freshness.messages_since).toBe(0);
  });
});
