import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { follow } from "../../support/follow-stream.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, headOf, post } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { stored, verdictOf } from "../../support/raw-requests.ts";

const set = (client: Client, visibility: "open" | "private", more: { dry_run?: boolean } = {}) =>
  client.call("setVisibility", { ...docs, body: { visibility, ...more } });
const codeOf = (client: Client) =>
  client.call("createJoinCode", { ...docs, body: { role: "member", ttl_seconds: 600 } });

/** Docs, ana's, with bo and his agent scout; cy is not on it. */
async function start(visibility: "open" | "private" = "open") {
  const { world, id, bo, scout } = await startDocs({ scout: "bo" }, { visibility });
  return { world, ana: world.admin, bo, scout, cy: await world.person("cy"), id };
}

test("making a board private hides it at once, shuts its gate and revokes each working code in order", async () => {
  const { world, ana, bo, scout, cy } = await start();
  const ended = await codeOf(ana);
  world.pass(600);
  const revoked = await codeOf(ana);
  await ana.call("revokeJoinCode", { params: { board: "docs", join_code: revoked.id } });
  const first = await codeOf(scout);
  world.pass(1);
  const second = await codeOf(ana);
  world.pass(1);
  const third = await codeOf(bo);
  expect((await cy.call("getBoard", docs)).agents_add_people).toBe(true);

  expect(await set(ana, "private")).toEqual({
    board: "docs",
    before: "open",
    after: "private",
    changed: true,
    dry_run: false,
    reveals: null,
    join_codes_canceled: 3,
  });
  const events = (await eventsOf(ana)).slice(-4);
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    [
      "board.visibility_changed",
      { before: "open", after: "private", reveals: null, agents_add_people: false },
    ],
    ...[first, second, third].map(
      ({ id }) => ["joincode.revoked", { join_code_id: id }] as [string, never],
    ),
  ] as never);
  expect(events.every(({ actor }) => actor.name === "ana")).toBe(true);
  expect((await ana.call("getBoard", docs)).agents_add_people).toBe(false);
  expect(await verdictOf(cy.call("getBoard", docs))).toBe("404 board_not_found");
  for (const { code } of [ended, second])
    expect(await verdictOf(ana.call("join", { body: { code } }))).toBe("404 join_code_invalid");
  await post(bo, "still here");
  await post(scout, "and I");
});

test("opening a board tells what it reveals and leaves its gate as it was", async () => {
  const { ana, bo, scout, cy } = await start("private");
  await post(bo, "one");
  const { id } = await post(scout, { body: "two", to: ["@ana"] });
  await ana.call("addReaction", { params: { message: id, reaction: "eyes" } });
  const { code } = await codeOf(ana);
  const reveals = { messages: 2, files: 0 };
  expect(await verdictOf(cy.call("getBoard", docs))).toBe("404 board_not_found");
  expect(await set(ana, "open")).toEqual({
    board: "docs",
    before: "private",
    after: "open",
    changed: true,
    dry_run: false,
    reveals,
    join_codes_canceled: 0,
  });
  expect((await eventsOf(ana)).at(-1)).toMatchObject({
    type: "board.visibility_changed",
    data: { before: "private", after: "open", reveals, agents_add_people: false },
  });
  expect((await cy.call("getBoard", docs)).agents_add_people).toBe(false);
  await cy.call("addPerson", { ...docs, body: { handle: "cy" } });
  expect((await cy.call("listMessages", docs)).messages.map(({ body }) => body)).toEqual([
    "one",
    "two",
  ]);
  expect((await ana.call("join", { body: { code } })).agent.name).toBe("member");
  await ana.call("updateBoard", { ...docs, body: { agents_add_people: true } });
  await set(ana, "private");
  await set(ana, "open");
  expect((await ana.call("getBoard", docs)).agents_add_people).toBe(false);
});

test("an opened gate stays open when the board is opened", async () => {
  const { ana } = await start("private");
  await ana.call("updateBoard", { ...docs, body: { agents_add_people: true } });
  await set(ana, "open");
  expect((await ana.call("getBoard", docs)).agents_add_people).toBe(true);
});

test("a dry run tells the numbers and writes nothing; what is so already changes nothing", async () => {
  const { world, ana, bo } = await start();
  await codeOf(bo);
  const before = await stored(world);
  expect(await set(ana, "private", { dry_run: true })).toMatchObject({
    changed: true,
    dry_run: true,
    after: "private",
    reveals: null,
    join_codes_canceled: 1,
  });
  expect(await set(ana, "open")).toMatchObject({
    changed: false,
    before: "open",
    after: "open",
    reveals: null,
    join_codes_canceled: 0,
  });
  expect(await stored(world)).toEqual(before);
  await set(ana, "private");
  await post(bo, "x");
  const head = await headOf(ana);
  expect(await set(ana, "open", { dry_run: true })).toMatchObject({
    changed: true,
    dry_run: true,
    reveals: { messages: 1, files: 0 },
  });
  expect(await headOf(ana)).toBe(head);
});

test("only an owner may, and no agent, not even an owner's", async () => {
  const { world, ana, bo, cy, scout } = await start();
  const herald = await world.seat(ana, "docs", { name: "herald" });
  for (const visibility of ["private", "open"] as const) {
    const { status, code, hint } = await refusalOf(set(bo, visibility, { dry_run: true }));
    expect([status, code, hint]).toEqual([403, "owner_required", "Ask one of its owners: @ana."]);
    for (const agent of [herald, scout])
      expect(await verdictOf(set(agent, visibility))).toBe("403 human_token_required");
    expect(await verdictOf(set(cy, visibility))).toBe("403 not_on_board");
  }
});

test("a stream of who is on it goes on when it turns private, and of who left before ends with it", async () => {
  const { world, ana, bo, cy, id } = await start();
  await cy.call("addPerson", { ...docs, body: { handle: "cy" } });
  const [ofBo, ofCy] = [await follow(bo), await follow(cy)];
  await ofBo.next(2);
  await ofCy.next(2);
  await cy.call("leaveBoard", docs);
  expect(await ofCy.next(1)).toEqual([{ event: "board_unavailable", board_id: id }]);
  await ofBo.next(1);
  await set(ana, "private");
  const seq = await headOf(ana);
  expect(await ofBo.next(1)).toEqual([{ event: "head", board: "docs", board_id: id, seq }]);
  await post(ana, "among us");
  await ofBo.next(2);
  await ana.call("addPerson", { ...docs, body: { handle: "cy" } });
  await until(() => world.streams.count === 2, "both follow");
  expect((await ofCy.next(2)).map(({ event }) => event)).toEqual(["head", "unread"]);
});

test("its repeat gets the first answer, as long as the caller is on the board", async () => {
  const { ana, bo } = await start();
  await codeOf(ana);
  const hide = () =>
    ana.call(
      "setVisibility",
      { ...docs, body: { visibility: "private" } },
      { idempotencyKey: "once" },
    );
  const first = await hide();
  await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
  await set(bo, "open");
  const head = await headOf(ana);
  expect([await hide(), first.join_codes_canceled]).toEqual([first, 1]);
  expect(await headOf(ana)).toBe(head);
  await ana.call("leaveBoard", docs);
  expect(await verdictOf(hide())).toBe("403 not_on_board");
  await set(bo, "private");
  expect(await verdictOf(hide())).toBe("404 board_not_found");
});
