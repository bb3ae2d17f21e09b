import { expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { refusalOf, startWorld, type World } from "../support/world.ts";
import { docs, eventsOf, headOf, makeDocs, personOnDocs, post } from "./helpers.ts";
import { ask, stored, verdictOf } from "./raw.ts";

const rename = (client: Client, from: string, to: string, idempotencyKey?: string) =>
  client.call(
    "renamePerson",
    { params: { handle: from }, body: { handle: to } },
    idempotencyKey ? { idempotencyKey } : {},
  );
const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    ({ code }) => code as string,
  );
const comeIn = async (world: World, handle: string) => {
  const { invite } = await world.admin.call("createServerInvite");
  return outcome(world.connect({ invite, handle, key_name: "laptop" }));
};
const membersOf = async (client: Client, board = "docs") =>
  (await client.call("listMembers", { params: { board } })).members.map(({ name, owner }) =>
    owner === null ? name : `${name} of ${owner}`,
  );
const renamings = async (client: Client, board = "docs") =>
  (await eventsOf(client, board)).filter(({ type }) => type === "person.renamed");

/** Docs, which ana owns, with bo and his agent writer, and cy, who is on the server alone. */
async function start() {
  const world = await startWorld();
  await makeDocs(world);
  const bo = await personOnDocs(world, "bo");
  const writer = await world.seat(bo, "docs", { name: "writer" });
  const cy = await world.person("cy");
  return { world, ana: world.admin, bo, writer, cy };
}

test("a person who renames themselves is called so everywhere, under the same ids", async () => {
  const { world, ana, bo, writer } = await start();
  await bo.call("ackBoard", { ...docs, body: { up_to: 2 } });
  const { person: before } = await bo.call("listKeys");
  const { members } = await ana.call("listMembers", docs);
  expect(await rename(bo, "bo", "rob")).toEqual({
    person: { ...before, handle: "rob" },
    changed: true,
  });
  expect(await bo.call("getMe")).toMatchObject({ id: bo.id, name: "rob" });
  expect(await writer.call("getMe")).toMatchObject({ id: writer.id, owner: "rob" });
  expect(await membersOf(ana)).toEqual(["ana", "rob", "writer of rob"]);
  const { members: after } = await ana.call("listMembers", docs);
  expect(after.map(({ id }) => id)).toEqual(members.map(({ id }) => id));
  expect((await ana.call("listPeople", docs)).people[1]).toMatchObject({
    ...{ id: bo.id, handle: "rob", name: "rob" },
  });
  expect((await ana.call("listServerPeople", { query: { handle: "rob" } })) as object).toEqual({
    ...{ id: bo.id, handle: "rob", display_name: null },
  });
  expect((await bo.call("getBoard", docs)).read_up_to).toBeGreaterThan(2);
  world.check();
});

test("what was read before shows the new name at once: authors, who was answered, owners and reactions", async () => {
  const { world, ana, bo, writer } = await start();
  const { id } = await post(bo, "hello");
  await post(ana, { body: "answer", reply_to: id });
  await post(writer, { body: "mine", reply_to: id });
  const reacted = { params: { message: id, reaction: "eyes" as const } };
  await bo.call("addReaction", reacted);
  const shown = async (client: Client) =>
    (await client.call("listMessages", docs)).messages.map(
      ({ from, reply_to_from, reactions }) =>
        `${from.name} ${from.owner} ${reply_to_from} ${reactions.flatMap(({ by }) => by).join()}`,
    );
  const called = (name: string) => [
    `${name} null null ${name}`,
    `ana null ${name} `,
    `writer ${name} ${name} `,
  ];
  for (const [before, after] of [
    ["bo", "rob"],
    ["rob", "robert"],
    ["robert", "bo"],
  ] as const) {
    for (const client of [ana, bo, writer]) expect(await shown(client)).toEqual(called(before));
    await rename(bo, before, after);
    for (const client of [ana, bo, writer]) expect(await shown(client)).toEqual(called(after));
    const { message } = await ana.call("getMessage", { params: { message: id } });
    expect(message.from.name).toBe(after);
  }
  world.check();
});

test("what was written stays as it was written: texts, addressees, mentions and the log", async () => {
  const { world, ana, bo } = await start();
  const { id } = await post(ana, { body: "to @bo", to: ["@bo"] });
  const before = await eventsOf(ana);
  await rename(bo, "bo", "rob");
  const { message } = await bo.call("getMessage", { params: { message: id } });
  expect(message).toMatchObject({ body: "to @bo", to: ["@bo"], mentions: [{ name: "bo" }] });
  expect((await eventsOf(ana)).slice(0, -1)).toEqual(before);
  expect((await bo.call("getBoard", docs)).needs_reply).toBe(0);
  const { messages } = await bo.call("listMessages", { ...docs, query: { to_me: true } });
  expect(messages.map((each) => each.id)).toEqual([id]);
  world.check();
});

test("every board that the person is or was on and that is not deleted says so, archived ones too", async () => {
  const { world, ana, bo } = await start();
  for (const name of ["former", "old", "gone", "other"]) {
    await ana.call("createBoard", { body: { name } });
    if (name !== "other")
      await ana.call("addPerson", { params: { board: name }, body: { handle: "bo" } });
  }
  await bo.call("leaveBoard", { params: { board: "former" } });
  await ana.call("archiveBoard", { params: { board: "old" } });
  for (const operation of ["archiveBoard", "deleteBoard"] as const)
    await ana.call(operation, { params: { board: "gone" } });
  const deletedLog = () =>
    world.db.read((tx) => tx.all("SELECT id FROM event WHERE place / 4294967296 = 4"));
  const before = deletedLog();
  const { members } = await ana.call("listMembers", docs);
  const boId = members.find(({ name }) => name === "bo")!.id;
  await rename(bo, "bo", "rob");

  expect(await renamings(ana)).toMatchObject([
    {
      actor: { kind: "human", member_id: boId, name: "bo", owner: null },
      data: { person_id: bo.id, member_id: boId, before: "bo", after: "rob" },
    },
  ]);
  expect(await renamings(ana, "old")).toHaveLength(1);
  expect(await renamings(ana, "former")).toMatchObject([
    { actor: { kind: "human", member_id: null, name: "bo" }, data: { after: "rob" } },
  ]);
  expect(await renamings(ana, "other")).toEqual([]);
  expect(deletedLog()).toEqual(before);
  await ana.call("addPerson", { params: { board: "former" }, body: { handle: "rob" } });
  expect(await membersOf(ana, "former")).toEqual(["ana", "rob"]);
  world.check();
});

test("whoever follows a board is told that its log has grown", async () => {
  const { world, ana, bo } = await start();
  const following = ana.stream();
  for (let n = 0; n < 2; n++) await following.next();
  const head = await headOf(ana);
  await rename(bo, "bo", "rob");
  const { value } = await following.next();
  expect(value).toMatchObject({ event: "head", data: { board: "docs", seq: head + 1 } });
  await following.return(undefined);
  world.check();
});

test("an admin renames others, as an actor without a member where they are not", async () => {
  const { world, ana, bo, cy } = await start();
  await bo.call("createBoard", { body: { name: "secret", visibility: "private" } });
  expect(await rename(ana, "bo", "rob")).toMatchObject({ person: { id: bo.id }, changed: true });
  expect(await renamings(bo, "secret")).toMatchObject([
    { actor: { kind: "human", member_id: null, name: "ana" } },
  ]);
  expect(await renamings(bo)).toMatchObject([
    { actor: { kind: "human", name: "ana", member_id: expect.stringMatching(/^mem_/) } },
  ]);
  expect(await verdictOf(rename(cy, "rob", "robert"))).toBe("403 server_admin_required");
  world.check();
});

test("who is no admin learns nothing of the handles of others", async () => {
  const { world, cy } = await start();
  const texts = new Set<string>();
  for (const handle of ["bo", "nobody", "ana", "b-"]) {
    const refused = await refusalOf(rename(cy, handle, "bo"));
    expect(refused).toMatchObject({ status: 403, code: "server_admin_required" });
    texts.add(JSON.stringify(refused));
  }
  expect(texts.size).toBe(1);
  world.check();
});

test("an admin is told of a handle that nobody has, given up ones included", async () => {
  const { world, ana, bo } = await start();
  await rename(bo, "bo", "rob");
  for (const handle of ["bo", "nobody", "b-"])
    expect(await verdictOf(rename(ana, handle, "someone"))).toBe("404 person_not_found");
  world.check();
});

test("a new handle has the form of handles, else 400", async () => {
  const { world, ana, bo } = await start();
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
  world.check();
});

test("a handle that is somebody's, reserved, or a member's name on a board of theirs is taken, and no more is said", async () => {
  const { world, ana, bo, cy } = await start();
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
  world.check();
});

test("the old handle and the new one are that person's for good, also after a removal", async () => {
  const { world, ana, bo, cy } = await start();
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
  world.check();
});

test("who was renamed once and is removed keeps both handles from everybody", async () => {
  const { world, ana, bo } = await start();
  await rename(bo, "bo", "rob");
  await ana.call("removeFromServer", { params: { handle: "rob" } });
  for (const handle of ["bo", "rob"]) expect(await comeIn(world, handle)).toBe("handle_taken");
  world.check();
});

test("a handle that was given up finds nobody", async () => {
  const { world, ana, bo, writer } = await start();
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
  world.check();
});

test("a reply still goes to who was addressed by the name of then, and not to who has the name now", async () => {
  const { world, ana, bo, writer } = await start();
  const { id } = await post(ana, { body: "for two", to: ["@bo", "@writer"] });
  await rename(bo, "bo", "rob");
  await world.seat(ana, "docs", { name: "bo" });
  const reply = await post(writer, { body: "well", reply_to: id });
  expect(reply.to).toEqual(["@ana", "@rob"]);
  world.check();
});

test("a rename to the handle one has changes nothing, and reserves nothing", async () => {
  const { world, ana, bo } = await start();
  await bo.call("getMe");
  await world.db.write(() => null);
  const before = await stored(world);
  expect(await rename(bo, "bo", "bo")).toMatchObject({ person: { handle: "bo" }, changed: false });
  expect(await stored(world)).toEqual(before);
  await ana.call("removeFromServer", { params: { handle: "bo" } });
  expect(await comeIn(world, "bo")).toBe("done");
  world.check();
});

test("of several who want a handle at the same moment one gets it", async () => {
  const { world, ana, bo, cy } = await start();
  const { invite } = await ana.call("createServerInvite");
  const outcomes = await Promise.all([
    outcome(rename(bo, "bo", "zed")),
    outcome(rename(cy, "cy", "zed")),
    outcome(world.connect({ invite, handle: "zed", key_name: "laptop" })),
  ]);
  expect(outcomes.toSorted()).toEqual(["done", "handle_taken", "handle_taken"]);
  world.check();
});

test("a person's name on a board that was numbered becomes the new handle too", async () => {
  const { world, ana, cy } = await start();
  await world.seat(ana, "docs", { name: "cy" });
  await ana.call("addPerson", { ...docs, body: { handle: "cy" } });
  expect(await membersOf(ana)).toContain("cy-2");
  await rename(cy, "cy", "cyan");
  expect(await membersOf(ana)).toEqual(["ana", "bo", "writer of bo", "cy of ana", "cyan"]);
  expect(await verdictOf(rename(cy, "cyan", "cy"))).toBe("409 handle_taken");
  world.check();
});

test("a rename is repeated to that very person, by whatever handle, and to admins alone", async () => {
  const { world, ana, bo, cy } = await start();
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
  world.check();
});

test("nobody is renamed but by a key of a person who is no guest", async () => {
  const { world, bo, writer } = await start();
  expect(await verdictOf(rename(writer, "bo", "rob"))).toBe("403 human_token_required");
  await world.db.write((tx) =>
    tx.run("UPDATE person SET server_role = 'guest' WHERE handle = 'bo'"),
  );
  expect(await verdictOf(rename(bo, "bo", "rob"))).toBe("403 guest_not_allowed");
  world.check();
});
