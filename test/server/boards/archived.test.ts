import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import type { OperationName } from "../../../src/contract/index.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import {
  each,
  forAgents,
  forKeys,
  forNewcomers,
  lastly,
  made,
  madeWith,
  refusedOnArchive,
  verdicts,
  where,
  without,
} from "../../support/access-matrix/operations-by-class.ts";
import { docs, eventsOf, headOf, post, setRole } from "../../support/boards/docs-board.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";
import { nowhere, setScene } from "../../support/boards/boards-with-one-of-everything.ts";

/** The scene with docs archived, which bo owns as well. */
async function start() {
  const scene = await setScene();
  await scene.ana.call("addOwner", { ...docs, body: { handle: "bo" } });
  const { code } = await scene.ana.call("createJoinCode", { ...docs, body: { role: "member" } });
  await scene.ana.call("archiveBoard", docs);
  return { ...scene, code };
}
const expected = (names: readonly string[]) => ({
  ...each(names, "200"),
  ...Object.fromEntries(
    names.filter((name) => made.includes(name)).map((name) => [name, madeWith(name)]),
  ),
  // Nothing on an archive needs anybody.
  ...each(
    names.filter((name) => ["snoozeAttention", "endSnooze", "dismissAttention"].includes(name)),
    "404 attention_not_found",
  ),
  ...each(
    names.filter((name) => refusedOnArchive.includes(name)),
    "409 board_archived",
  ),
});

test("on an archived board everything answers as ever but what it does not take, for people", async () => {
  const { ana, sample, docs: at } = await start();
  const found = await verdicts(
    lastly(without(forKeys, forNewcomers)),
    async (name) => (await sample(name, at, { token: ana.token })).verdict,
  );
  expect(found).toEqual(expected(without(forKeys, forNewcomers)));
});

test("and for its agents", async () => {
  const { writer, sample, docs: at } = await start();
  const found = await verdicts(
    lastly(forAgents),
    async (name) => (await sample(name, at, { token: writer })).verdict,
  );
  expect(found).toEqual(expected(forAgents));
});

test("callers without the right get the same refusal as before the archive: hidden, off the board, not an owner", async () => {
  const { ana, cy, cleo, scout, sample, secret, docs: at } = await start();
  await ana.call("archiveBoard", { params: { board: "secret" } });
  const names = [...where.board, ...where.message];
  for (const name of names as OperationName[]) {
    const [hidden, missing] = [
      await sample(name, secret, { token: cy.token }),
      await sample(name, nowhere, { token: cy.token }),
    ];
    expect(hidden.text.replaceAll("secret", "nowhere")).toBe(missing.text);
  }
  const outside = where.boardJoined;
  expect(
    await verdicts(outside, async (name) => (await sample(name, at, { token: cy.token })).verdict),
  ).toEqual(each(outside, "403 not_on_board"));
  expect((await sample("addPerson", at, { token: cy.token })).verdict).toBe("403 not_on_board");
  for (const [name, verdict] of [
    ["updateBoard", "403 admin_required"],
    ["addOwner", "403 owner_required"],
    ["setVisibility", "403 owner_required"],
    ["removePerson", "200"],
  ] as const)
    expect(`${name} ${(await sample(name, at, { token: cleo.token })).verdict}`).toBe(
      `${name} ${verdict}`,
    );
  expect((await sample("addPerson", at, { token: scout.token })).verdict).toBe(
    "409 board_archived",
  );
});

test("what somebody's role does not grant is refused before what the archive does not take", async () => {
  const { world, ana, writer } = await setScene();
  await setRole(world, "mute", []);
  const mute = await world.seat(ana, "docs", { name: "mute", role: "mute" });
  await ana.call("archiveBoard", docs);
  const codeOf = (client: Client, guest = {}) =>
    verdictOf(client.call("createJoinCode", { ...docs, body: { role: "member", ...guest } }));
  const seat = world.as(writer);
  expect(await verdictOf(post(mute, { body: "x", to: ["@nobody"] }))).toBe("403 forbidden");
  expect(await codeOf(mute)).toBe("403 forbidden");
  expect(await codeOf(seat, { guest: "gus" })).toBe("403 human_token_required");
  expect(await verdictOf(post(seat, { body: "x", to: ["@nobody"] }))).toBe("409 board_archived");
  for (const client of [seat, ana]) expect(await codeOf(client)).toBe("409 board_archived");
  expect(await codeOf(ana, { guest: "No Handle" })).toBe("409 board_archived");
});

test("a refusal changes nothing, and sends to the creator or a server admin, never to an owner", async () => {
  const { world, ana, bo, sample, docs: at, code } = await start();
  const before = await stored(world);
  const hint = "Ask @ana, who created it, or a server admin to restore it:";
  for (const name of refusedOnArchive as OperationName[]) {
    // The agent that asks for a pairing is ana's.
    const { token } = name.startsWith("createPairing") ? ana : bo;
    const { text, verdict } = await sample(name, at, { token });
    expect(`${name} ${verdict}`).toBe(`${name} 409 board_archived`);
    expect(text).toContain(hint);
    expect(text).not.toContain("owner");
    expect(text).not.toContain("@bo");
  }
  for (const body of [
    { agents_add_people: true },
    { agents_add_people: false, title: "x" },
    { policy: { preset: "recommended" } },
    { task_prefix: "DOX" },
  ])
    expect(await verdictOf(bo.call("updateBoard", { ...docs, body } as never))).toBe(
      "409 board_archived",
    );
  expect(await verdictOf(ana.call("join", { body: { code } }))).toBe("409 board_archived");
  expect(await stored(world)).toEqual(before);
  await ana.call("leaveBoard", docs);
  const { hint: left } = await refusalOf(bo.call("postMessage", { ...docs, body: { body: "x" } }));
  expect(left).toStartWith("Ask a server admin to restore it:");
});

test("its gate can be shut by an owner, and by nobody else", async () => {
  const { world, ana, cleo, writer } = await start();
  const shut = { ...docs, body: { agents_add_people: false } };
  expect(await verdictOf(cleo.call("updateBoard", shut))).toBe("403 admin_required");
  expect(await verdictOf(world.as(writer).call("updateBoard", shut))).toBe(
    "403 human_token_required",
  );
  expect((await ana.call("updateBoard", shut)).agents_add_people).toBe(false);
  expect((await eventsOf(ana)).at(-1)).toMatchObject({
    type: "board.agents_add_people_changed",
    data: { agents_add_people: false },
  });
});

test("adding a person who is already on it is refused for that reason first", async () => {
  const { ana } = await start();
  const add = (handle: string) => ana.call("addPerson", { ...docs, body: { handle } });
  expect(await verdictOf(add("bo"))).toBe("409 already_on_board");
  expect(await verdictOf(add("nobody"))).toBe("404 person_not_found");
  expect(await verdictOf(add("dee"))).toBe("409 board_archived");
});

test("a repeat of what it took before gets its answer; one that carries a token does not", async () => {
  const { ana, sample, docs: at } = await setScene();
  const asking = (name: string) => ({ token: ana.token, headers: { "idempotency-key": name } });
  const repeated = ["updateBoard", "addPerson", "addOwner", "postMessage", "addReaction"] as const;
  const first = await verdicts(
    repeated,
    async (name) => (await sample(name, at, asking(name))).text,
  );
  await sample("join", at, asking("join"));
  await ana.call("archiveBoard", docs);
  const head = await headOf(ana);
  expect(
    await verdicts(repeated, async (name) => (await sample(name, at, asking(name))).text),
  ).toEqual(first);
  expect((await sample("join", at, asking("join"))).verdict).toBe("409 board_archived");
  expect(await headOf(ana)).toBe(head);
});

test("it can be made private and not opened, and is listed only to who asks for archived boards", async () => {
  const { world, ana, bo, cy, writer } = await start();
  const list = async (token: string, query: string) => {
    const { text } = await ask(world, `GET /v1/boards?${query}`, { token });
    const { boards, archived_count } = JSON.parse(text);
    return [boards.map(({ name }: { name: string }) => name).join(" "), archived_count];
  };
  expect(await list(ana.token, "")).toEqual(["secret plaza", 1]);
  expect(await list(ana.token, "lifecycle=archived")).toEqual(["docs", 1]);
  expect(await list(ana.token, "lifecycle=all")).toEqual(["docs secret plaza", 1]);
  expect(await list(writer, "")).toEqual(["", 1]);
  expect(await list(writer, "lifecycle=archived")).toEqual(["docs", 1]);
  expect(await list(cy.token, "lifecycle=all")).toEqual(["", 0]);
  expect(await list(cy.token, "lifecycle=all&all=true")).toEqual(["docs plaza", 1]);
  const set = (visibility: "open" | "private") =>
    bo.call("setVisibility", { ...docs, body: { visibility } });
  expect((await set("private")).join_codes_canceled).toBe(3);
  expect(await verdictOf(set("open"))).toBe("409 board_archived");
  expect(await list(cy.token, "lifecycle=all&all=true")).toEqual(["plaza", 0]);
});

test("archiving leaves codes as they are: they work again once it is restored, until their own end", async () => {
  const { world, ana, code } = await start();
  await ana.call("restoreBoard", docs);
  expect((await ana.call("join", { body: { code } })).agent.role).toBe("member");
  await ana.call("archiveBoard", docs);
  world.pass(24 * 60 * 60);
  expect(await verdictOf(ana.call("join", { body: { code } }))).toBe("404 join_code_invalid");
  await ana.call("restoreBoard", docs);
  expect(await verdictOf(ana.call("join", { body: { code } }))).toBe("404 join_code_invalid");
});

test("an invitation to it brings nobody in, and stays unused", async () => {
  const { world, ana } = await start();
  await ana.call("restoreBoard", docs);
  const { id } = await ana.call("getBoard", docs);
  const { invite } = await ana.call("createServerInvite", { body: { boards: [id] } });
  await ana.call("archiveBoard", docs);
  const before = stored(world);
  const redeem = () =>
    world.as().call("connect", { body: { invite, handle: "newcomer", key_name: "laptop" } });
  expect(await verdictOf(redeem())).toBe("404 invite_invalid");
  expect(stored(world)).toEqual(before);
  await ana.call("restoreBoard", docs);
  expect((await redeem()).person.handle).toBe("newcomer");
});

test("restoring revives nobody", async () => {
  const { world, ana, bo, cleo, writer, scout } = await start();
  await ana.call("removePerson", { params: { board: "docs", handle: "cleo" } });
  await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
  await world.as(writer).call("leaveAsAgent");
  await ana.call("restoreBoard", docs);
  for (const client of [bo, cleo])
    expect(await verdictOf(client.call("listMessages", docs))).toBe("403 not_on_board");
  for (const client of [scout, world.as(writer)])
    expect(await verdictOf(client.call("getMe"))).toBe("403 agent_removed");
});
