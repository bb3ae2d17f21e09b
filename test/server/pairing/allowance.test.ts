import { expect, test } from "bun:test";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { guestOn, makeDocs } from "../../support/boards/docs-board.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";

type Categories = ("invite-people" | "add-people")[];

async function start() {
  const world = await startWorld();
  await makeDocs(world);
  const { admin: ana } = world;
  const set = (...categories: Categories) => ana.call("setAllowance", { body: { categories } });
  return { world, ana, set };
}

test("everybody's allowance is empty until they set it, and reading it stores nothing", async () => {
  const { world, ana } = await start();
  const { id } = await ana.call("getMe");
  const before = await stored(world);
  const empty = { id: `alw_${id.slice(4)}`, revision: 0, person_id: id, categories: [] };
  expect(await ana.call("getAllowance")).toEqual(empty);
  expect(await stored(world)).toEqual(before);
});

test("a set replaces the whole one, in one order, and the revision counts what changed", async () => {
  const { world, ana, set } = await start();
  expect(await set("add-people", "invite-people")).toMatchObject({
    revision: 1,
    categories: ["invite-people", "add-people"],
  });
  expect(await set("invite-people", "add-people")).toMatchObject({ revision: 1 });
  expect(await set("add-people")).toMatchObject({ revision: 2, categories: ["add-people"] });
  expect(await set()).toMatchObject({ revision: 3, categories: [] });
  expect(await set()).toMatchObject({ revision: 3 });
  const bo = await world.person("bo");
  expect(await bo.call("getAllowance")).toMatchObject({ revision: 0, categories: [] });
  expect(await ana.call("getAllowance")).toMatchObject({ revision: 3 });
});

test("inviting people is shown with its warning, and nothing else has one", async () => {
  const { ana, set } = await start();
  expect(await set("add-people")).not.toHaveProperty("warning");
  const warning = expect.stringContaining("every open board");
  expect(await set("invite-people")).toMatchObject({ warning });
  expect(await ana.call("getAllowance")).toMatchObject({ warning });
  expect(await set()).not.toHaveProperty("warning");
});

test("an unknown category, one given twice and none at all are refused and change nothing", async () => {
  const { world, ana, set } = await start();
  await set("add-people");
  const tried = async (body: unknown) =>
    (await ask(world, "PUT /v1/me/allowance", { token: ana.token, body })).verdict;
  for (const body of [
    { categories: ["add-people", "add-people"] },
    { categories: ["revoke-keys"] },
    {},
    { categories: "add-people" },
    { categories: null },
    { categories: [], more: 1 },
  ])
    expect([body, await tried(body)]).toEqual([body, "400 invalid_request"]);
  expect(await ana.call("getAllowance")).toMatchObject({ revision: 1, categories: ["add-people"] });
});

test("an agent is told which command its person runs, and a guest has no allowance", async () => {
  const { world, ana } = await start();
  const agent = await world.seat(ana, "docs");
  for (const attempt of [
    agent.call("getAllowance"),
    agent.call("setAllowance", { body: { categories: ["add-people"] } }),
  ])
    expect(await refusalOf(attempt)).toMatchObject({
      code: "human_token_required",
      next: { command: `service allowance --server ${world.url}` },
    });
  const gus = await guestOn(world, "gus");
  expect(await verdictOf(gus.call("getAllowance"))).toBe("403 guest_not_allowed");
});

test("a repeat gets the first answer and sets nothing again", async () => {
  const { ana, set } = await start();
  const call = { idempotencyKey: "once" };
  const body = { body: { categories: ["add-people"] as Categories } };
  const first = await ana.call("setAllowance", body, call);
  await set();
  expect(await ana.call("setAllowance", body, call)).toEqual(first);
  expect(await ana.call("getAllowance")).toMatchObject({ revision: 2, categories: [] });
});
