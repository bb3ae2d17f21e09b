import { expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, headOf, makeDocs } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

type Change = NonNullable<Given<"updateBoard">["body"]>;
const change = (client: Client, body: Change) => client.call("updateBoard", { ...docs, body });

async function start(board: Parameters<typeof makeDocs>[1] = {}) {
  const { world, bo, writer, scout } = await startDocs({ writer: "ana", scout: "bo" }, board);
  const last = async () => (await eventsOf(world.admin)).at(-1)!;
  return { world, ana: world.admin, bo, writer, scout, last };
}

test("a title is set, changed and removed, each time with one event, and none when it stays", async () => {
  const { ana, last } = await start();
  for (const [title, before, after] of [
    ["One", null, "One"],
    [" Two ", "One", "Two"],
    ["  ", "Two", null],
  ] as const) {
    expect((await change(ana, { title })).title).toBe(after);
    expect(await last()).toMatchObject({ type: "board.titled", data: { before, after } });
    const head = await headOf(ana);
    await change(ana, { title });
    expect(await headOf(ana)).toBe(head);
  }
});

test("an owner's agent changes title and prefix in its owner's name, but no policy and no gate", async () => {
  const { writer, last } = await start();
  await change(writer, { title: "By an agent", task_prefix: "DOX" });
  expect((await last()).actor).toEqual({
    kind: "agent",
    member_id: writer.id,
    name: "writer",
    owner: "ana",
  });
  for (const body of [
    { policy: { urgent: "granted" } },
    { agents_add_people: false },
    { title: "x", policy: { preset: "starter" } },
  ] as const)
    expect(await verdictOf(change(writer, body))).toBe("403 human_token_required");
});

test("whoever does not own the board, and their agent, is told its admins by name", async () => {
  const { bo, scout } = await start();
  const bodies: Change[] = [
    { title: "x" },
    { task_prefix: "BOX" },
    { policy: { nudges: "off" } },
    { agents_add_people: false },
  ];
  for (const body of bodies) {
    const { status, code, hint } = await refusalOf(change(bo, body));
    expect([status, code, hint]).toEqual([403, "admin_required", "Ask one of its admins: @ana."]);
  }
  for (const body of bodies.slice(0, 2))
    expect(await verdictOf(change(scout, body))).toBe("403 admin_required");
  for (const body of bodies.slice(2))
    expect(await verdictOf(change(scout, body))).toBe("403 human_token_required");
});

test("a policy keeps what is not changed and names what differs from its preset, in order", async () => {
  const { ana, last } = await start();
  const changed = async (policy: Change["policy"]) =>
    (await change(ana, { policy: policy! })).policy;
  await changed({ show_harness: false });
  await changed({ nudges: "off" });
  const before = await changed({ urgent: "granted", visibility: "addressed" });
  expect(before).toEqual({
    preset: "starter",
    visibility: "addressed",
    broadcast: "everyone",
    urgent: "granted",
    nudges: "off",
    show_harness: false,
    overrides: ["visibility", "urgent", "nudges", "show_harness"],
  });
  const after = await changed({ preset: "recommended", broadcast: "everyone" });
  expect(after).toEqual({
    preset: "recommended",
    visibility: "addressed",
    broadcast: "everyone",
    urgent: "granted",
    nudges: "on",
    show_harness: true,
    overrides: ["broadcast"],
  });
  expect(await last()).toMatchObject({
    type: "board.policy_changed",
    data: { before, after, preset_applied: "recommended" },
  });
  const head = await headOf(ana);
  expect((await changed({ broadcast: "everyone" })).overrides).toEqual(["broadcast"]);
  expect(await headOf(ana)).toBe(head);
  expect((await changed({ preset: "starter" })).overrides).toEqual([]);
  await changed({ urgent: "granted" });
  expect((await last()).data).toMatchObject({ preset_applied: null });
  expect((await changed({ urgent: "everyone" })).overrides).toEqual([]);
});

test("a task prefix belongs for ever to the board that had it, which may take it back", async () => {
  const { ana, last } = await start();
  await ana.call("createBoard", { body: { name: "plaza" } });
  const plaza = (task_prefix: string) =>
    ana.call("updateBoard", { params: { board: "plaza" }, body: { task_prefix } });
  await change(ana, { task_prefix: "ONE" });
  expect((await last()).data).toEqual({ before: null, after: "ONE" });
  await change(ana, { task_prefix: "TWO" });
  for (const taken of ["ONE", "TWO"])
    expect(await verdictOf(plaza(taken))).toBe("409 task_prefix_taken");
  expect((await change(ana, { task_prefix: "ONE" })).task_prefix).toBe("ONE");
  const head = await headOf(ana);
  await change(ana, { task_prefix: "ONE" });
  expect(await headOf(ana)).toBe(head);
  expect((await plaza("ONE2")).task_prefix).toBe("ONE2");
  for (const bad of ["A", "1A", "abc", "TOOLONG", "A-B", ""])
    expect(await verdictOf(change(ana, { task_prefix: bad }))).toBe("400 invalid_request");
});

test("all parts of a change are made together or none is", async () => {
  const { ana } = await start();
  await ana.call("createBoard", { body: { name: "plaza" } });
  await ana.call("updateBoard", { params: { board: "plaza" }, body: { task_prefix: "OUR" } });
  const head = await headOf(ana);
  const parts: Change = { title: "New", policy: { nudges: "off" }, agents_add_people: false };
  expect(await verdictOf(change(ana, { ...parts, task_prefix: "OUR" }))).toBe(
    "409 task_prefix_taken",
  );
  expect(await ana.call("getBoard", docs)).toMatchObject({
    title: null,
    agents_add_people: true,
    head_seq: head,
  });
  await change(ana, { ...parts, task_prefix: "DOX" });
  expect((await eventsOf(ana)).slice(-4).map(({ type }) => type)).toEqual([
    "board.titled",
    "board.policy_changed",
    "board.agents_add_people_changed",
    "board.task_prefix_set",
  ]);
});
