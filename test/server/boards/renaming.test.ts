import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { docs, eventsOf, headOf, post } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";
import {
  membersOf,
  rename,
  renamings,
  startRenaming,
} from "../../support/boards/board-with-renamed-people.ts";

test("a person who renames themselves is called so everywhere, under the same ids", async () => {
  const { ana, bo, writer } = await startRenaming();
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
    id: bo.id,
    handle: "rob",
    name: "rob",
  });
  expect((await ana.call("listServerPeople", { query: { handle: "rob" } })) as object).toEqual({
    id: bo.id,
    handle: "rob",
    display_name: null,
  });
  expect((await bo.call("getBoard", docs)).read_up_to).toBeGreaterThan(2);
});

test("what was read before shows the new name at once: authors, who was answered, owners and reactions", async () => {
  const { ana, bo, writer } = await startRenaming();
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
});

test("what was written stays as it was written: texts, addressees, mentions and the log", async () => {
  const { ana, bo } = await startRenaming();
  const { id } = await post(ana, { body: "to @bo", to: ["@bo"] });
  const before = await eventsOf(ana);
  await rename(bo, "bo", "rob");
  const { message } = await bo.call("getMessage", { params: { message: id } });
  expect(message).toMatchObject({ body: "to @bo", to: ["@bo"], mentions: [{ name: "bo" }] });
  expect((await eventsOf(ana)).slice(0, -1)).toEqual(before);
  expect((await bo.call("getBoard", docs)).needs_reply).toBe(0);
  const { messages } = await bo.call("listMessages", { ...docs, query: { to_me: true } });
  expect(messages.map((each) => each.id)).toEqual([id]);
});

test("every board that the person is or was on and that is not deleted says so, archived ones too", async () => {
  const { world, ana, bo } = await startRenaming();
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
});

test("followers of a board learn that its log has grown", async () => {
  const { ana, bo } = await startRenaming();
  const following = ana.stream();
  for (let n = 0; n < 4; n++) await following.next();
  const head = await headOf(ana);
  await rename(bo, "bo", "rob");
  const { value } = await following.next();
  expect(value).toMatchObject({ event: "head", data: { board: "docs", seq: head + 1 } });
  await following.return(undefined);
});

test("an admin renames others, as an actor without a member where they are not", async () => {
  const { ana, bo, cy } = await startRenaming();
  await bo.call("createBoard", { body: { name: "secret", visibility: "private" } });
  expect(await rename(ana, "bo", "rob")).toMatchObject({ person: { id: bo.id }, changed: true });
  expect(await renamings(bo, "secret")).toMatchObject([
    { actor: { kind: "human", member_id: null, name: "ana" } },
  ]);
  expect(await renamings(bo)).toMatchObject([
    { actor: { kind: "human", name: "ana", member_id: expect.stringMatching(/^mem_/) } },
  ]);
  expect(await verdictOf(rename(cy, "rob", "robert"))).toBe("403 server_admin_required");
});

test("a reply still goes to who was addressed by the name of then", async () => {
  const { ana, bo, writer } = await startRenaming();
  const { id } = await post(ana, { body: "for two", to: ["@bo", "@writer"] });
  await rename(bo, "bo", "rob");
  const reply = await post(writer, { body: "well", reply_to: id });
  expect(reply.to).toEqual(["@ana", "@rob"]);
});

test("a person's name on a board that was numbered becomes the new handle too", async () => {
  const { world, ana, cy } = await startRenaming();
  await world.seat(ana, "docs", { name: "cy" });
  await ana.call("addPerson", { ...docs, body: { handle: "cy" } });
  expect(await membersOf(ana)).toContain("cy-2");
  await rename(cy, "cy", "cyan");
  expect(await membersOf(ana)).toEqual(["ana", "bo", "writer of bo", "cy of ana", "cyan"]);
  expect(await verdictOf(rename(cy, "cyan", "cy"))).toBe("409 handle_taken");
});
