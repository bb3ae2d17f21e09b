import { expect, test } from "bun:test";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";
import {
  comeIn,
  outcome,
  rename,
  startRenaming,
} from "../../support/boards/board-with-renamed-people.ts";

test("a person who is no admin learns nothing of the handles of others", async () => {
  const { cy } = await startRenaming();
  const texts = new Set<string>();
  for (const handle of ["bo", "nobody", "ana", "b-"]) {
    const refused = await refusalOf(rename(cy, handle, "bo"));
    expect(refused).toMatchObject({ status: 403, code: "server_admin_required" });
    texts.add(JSON.stringify(refused));
  }
  expect(texts.size).toBe(1);
});

test("an admin finds nobody by a handle that nobody has or that was given up", async () => {
  const { ana, bo } = await startRenaming();
  await rename(bo, "bo", "rob");
  for (const handle of ["bo", "nobody", "b-"])
    expect(await verdictOf(rename(ana, handle, "someone"))).toBe("404 person_not_found");
});

test("a new handle has the form of handles, else 400", async () => {
  const { world, ana, bo } = await startRenaming();
  const before = await stored(world);
  for (const handle of ["", "Bo", "b_o", "b--o", "-bo", "bo-", "x".repeat(41), 7]) {
    const body = { handle };
    const { verdict } = await ask(world, "POST /v1/people/bo/rename", { token: bo.token, body });
    expect(`${handle} ${verdict}`).toBe(`${handle} 400 invalid_request`);
  }
  const { verdict } = await ask(world, "POST /v1/people/B_o/rename", {
    token: ana.token,
    body: { handle: "rob" },
  });
  expect(verdict).toBe("400 invalid_request");
  expect(await stored(world)).toEqual(before);
});

test("a handle that is somebody's, reserved, or a member's name on a board of theirs is taken, and no more is said", async () => {
  const { world, ana, bo, cy } = await startRenaming();
  for (const name of ["former", "hidden", "gone"])
    await bo.call("createBoard", { body: { name, visibility: "private" } });
  await world.seat(bo, "hidden", { name: "deep" });
  await world.seat(bo, "gone", { name: "lost" });
  const ended = await world.seat(ana, "docs", { name: "ended" });
  await ended.call("leaveAsAgent");
  await ana.call("createBoard", { body: { name: "plaza" } });
  await ana.call("addPerson", { params: { board: "plaza" }, body: { handle: "bo" } });
  await world.seat(ana, "plaza", { name: "past" });
  await bo.call("leaveBoard", { params: { board: "plaza" } });
  for (const operation of ["archiveBoard", "deleteBoard"] as const)
    await bo.call(operation, { params: { board: "gone" } });
  await rename(cy, "cy", "cyan");
  const before = await stored(world);
  for (const handle of ["ana", "cy", "cyan", "writer", "ended", "deep", "past"]) {
    const refused = await refusalOf(rename(ana, "bo", handle));
    expect(JSON.stringify(refused).replaceAll(handle, "ana")).toBe(
      JSON.stringify(await refusalOf(rename(ana, "bo", "ana"))),
    );
    expect(refused).toMatchObject({ status: 409, code: "handle_taken" });
  }
  await world.db.write(() => null);
  expect(await stored(world)).toEqual(before);
  expect(await rename(bo, "bo", "lost")).toMatchObject({ changed: true });
});

test("the old handle and the new one are that person's for good, also after a removal", async () => {
  const { world, ana, bo, cy } = await startRenaming();
  await rename(bo, "bo", "rob");
  await rename(bo, "rob", "robert");
  const refusedEverywhere = async () => {
    for (const handle of ["bo", "rob", "robert"]) {
      expect(await comeIn(world, handle)).toBe("handle_taken");
      expect(await outcome(rename(cy, "cy", handle))).toBe("handle_taken");
    }
  };
  await refusedEverywhere();
  await rename(bo, "robert", "bo");
  await refusedEverywhere();
  await ana.call("removeFromServer", { params: { handle: "bo" } });
  await refusedEverywhere();
  expect(await comeIn(world, "bobby")).toBe("done");
});

test("who was renamed once and is removed keeps both handles from everybody", async () => {
  const { world, ana, bo } = await startRenaming();
  await rename(bo, "bo", "rob");
  await ana.call("removeFromServer", { params: { handle: "rob" } });
  for (const handle of ["bo", "rob"]) expect(await comeIn(world, handle)).toBe("handle_taken");
});

test("a handle that was given up finds nobody", async () => {
  const { ana, bo, writer } = await startRenaming();
  await rename(bo, "bo", "rob");
  const verdicts = [
    ana.call("listServerPeople", { query: { handle: "bo" } }),
    ana.call("removePerson", { params: { board: "docs", handle: "bo" } }),
    ana.call("addOwner", { ...docs, body: { handle: "bo" } }),
    post(ana, { body: "x", to: ["@bo"] }),
    post(ana, { body: "x", to: ["owner:bo"] }),
    ana.call("listMessages", { ...docs, query: { from: "bo" } }),
  ].map(verdictOf);
  expect(await Promise.all(verdicts)).toEqual([
    "404 person_not_found",
    "404 person_not_on_board",
    "404 person_not_on_board",
    "422 unknown_recipient",
    "422 unknown_recipient",
    "404 member_not_found",
  ]);
  await post(ana, { body: "x", to: ["owner:rob"] });
  expect((await writer.call("getInbox")).messages).toHaveLength(1);
});

test("a rename to the handle one has changes nothing, and reserves nothing", async () => {
  const { world, ana, bo } = await startRenaming();
  await bo.call("getMe");
  await world.db.write(() => null);
  const before = await stored(world);
  expect(await rename(bo, "bo", "bo")).toMatchObject({ person: { handle: "bo" }, changed: false });
  expect(await stored(world)).toEqual(before);
  await ana.call("removeFromServer", { params: { handle: "bo" } });
  expect(await comeIn(world, "bo")).toBe("done");
});

test("of several who want a handle at the same moment one gets it", async () => {
  const { world, ana, bo, cy } = await startRenaming();
  const { invite } = await ana.call("createServerInvite");
  const outcomes = await Promise.all([
    outcome(rename(bo, "bo", "zed")),
    outcome(rename(cy, "cy", "zed")),
    outcome(world.connect({ invite, handle: "zed", key_name: "laptop" })),
  ]);
  expect(outcomes.toSorted()).toEqual(["done", "handle_taken", "handle_taken"]);
});

test("a rename is repeated to that very person, by whatever handle, and to admins alone", async () => {
  const { world, ana, bo, cy } = await startRenaming();
  const own = await rename(bo, "bo", "rob", "own");
  await ana.call("setServerRole", { params: { handle: "cy" }, body: { server_role: "admin" } });
  const others = await rename(cy, "rob", "robert", "others");
  const unknown = () => verdictOf(rename(cy, "nobody", "someone", "unknown"));
  expect(await unknown()).toBe("404 person_not_found");
  const before = await stored(world);
  expect(await rename(bo, "bo", "rob", "own")).toEqual(own);
  expect(await rename(cy, "rob", "robert", "others")).toEqual(others);
  expect(await unknown()).toBe("404 person_not_found");
  expect(await stored(world)).toEqual(before);
  expect((await bo.call("getMe")).name).toBe("robert");
  await ana.call("setServerRole", { params: { handle: "cy" }, body: { server_role: "member" } });
  expect(await verdictOf(rename(cy, "rob", "robert", "others"))).toBe("403 server_admin_required");
  expect(await unknown()).toBe("403 server_admin_required");
});

test("only a key of a person who is no guest renames anybody", async () => {
  const { world, bo, writer } = await startRenaming();
  expect(await verdictOf(rename(writer, "bo", "rob"))).toBe("403 human_token_required");
  await world.db.write((tx) =>
    tx.run("UPDATE person SET server_role = 'guest' WHERE handle = 'bo'"),
  );
  expect(await verdictOf(rename(bo, "bo", "rob"))).toBe("403 guest_not_allowed");
});

test("a name that a rename gave up is nobody else's on that person's boards, so that they can come back to it", async () => {
  const { world, ana, bo } = await startRenaming();
  await rename(bo, "bo", "rob");
  const taken = ana.call("join", { body: { board: "docs", role: "member", name: "bo" } });
  expect(await verdictOf(taken)).toBe("409 name_taken");
  const seat = await world.seat(ana, "docs", { harness: "bo" });
  expect(seat.name).toBe("bo-2");
  await ana.call("createBoard", { body: { name: "elsewhere" } });
  expect((await world.seat(ana, "elsewhere", { name: "bo" })).name).toBe("bo");
  expect((await rename(bo, "rob", "bo")).person.handle).toBe("bo");
});
