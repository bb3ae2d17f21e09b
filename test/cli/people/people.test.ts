import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";
import { newMachine, type Machine } from "../../support/commands/machine.ts";

// Ada's machine has the server, of which she is the first admin; Grace and Bo came to it by invitation.
const ada = newMachine();
const grace = newMachine("Grace");
const bo = newMachine("Bo");

const env = { SERVICE_RATE_SCALE: "0" };
const url = (await ada.json(["pair", "--board", "docs"], { env })).server.url;
for (const machine of [grace, bo]) {
  const { link } = await ada.json(["invite", "--person", "--board", "docs"]);
  await machine.ok(["connect", link]);
}

const errorOf = async (machine: Machine, words: string[]) =>
  (await machine.run([...words, "--json"])).json().error;
const rolesOf = async () =>
  (await ada.json(["people"])).people.map((one: any) => `${one.handle} ${one.server_role}`);
const savedHandle = ({ home }: Machine) =>
  JSON.parse(readFileSync(join(home, "config/servers.json"), "utf8")).servers[0].handle;

test("an admin makes another one, and takes the role back", async () => {
  expect(await ada.json(["people", "role", "@grace", "admin"])).toEqual({
    server: { name: "local", url },
    person: expect.objectContaining({ handle: "grace", server_role: "admin" }),
    changed: true,
  });
  const again = await ada.ok(["people", "role", "grace", "admin"]);
  expect(again.stdout).toBe(`@grace is already an admin of ${url}.\n`);
  const back = await grace.ok(["people", "role", "@grace", "member"]);
  expect(back.stdout).toBe(`@grace is now a member of ${url}.\n`);
  expect(await rolesOf()).toEqual(["ada-l admin", "grace member", "bo member"]);
});

test("one admin stays, roles are theirs to give, and guests are not left alone", async () => {
  expect(await errorOf(ada, ["people", "role", "@ada-l", "member"])).toMatchObject({
    code: "last_admin",
    hint: expect.stringContaining("`service people role @handle admin`"),
  });
  expect(await grace.refusal(["people", "role", "@bo", "admin"])).toBe("server_admin_required");
  expect(await ada.refusal(["people", "role", "@nobody", "admin"])).toBe("person_not_found");
  for (const words of [["@bo"], ["@bo", "guest"], ["@bo", "owner"]])
    expect((await ada.run(["people", "role", ...words])).code).toBe(2);
  await bo.ok(["board", "new", "bos"]);
  const { join_line: line } = await ada.json(["invite", "--guest", "gil", "--board", "docs"]);
  const gil = newMachine("Gil");
  await gil.ok(["join", line]);
  expect(await ada.refusal(["people", "role", "@gil", "admin"])).toBe("person_is_guest");
  const { join_line: second } = await bo.json(["invite", "--guest", "gil", "--board", "bos"]);
  await gil.ok(["join", second]);
  const refused = await errorOf(ada, ["people", "remove", "@bo"]);
  const { id } = await bo.json(["api", "getBoard", "board=bos"]);
  expect(refused).toMatchObject({
    code: "last_owner",
    hint: expect.stringContaining(`They are ${id}. `),
    details: { boards: [id] },
  });
});

test("people rename themselves, admins anybody, and a given-up handle stays theirs", async () => {
  const renamed = await grace.json(["people", "rename", "@grace", "@hopper"]);
  expect(renamed).toEqual({
    server: { name: url, url },
    person: expect.objectContaining({ handle: "hopper" }),
    changed: true,
  });
  expect(savedHandle(grace)).toBe("hopper");
  expect((await grace.ok(["whoami"])).stdout).toBe(`@hopper, member at ${url}\n`);
  const same = await grace.ok(["people", "rename", "hopper", "hopper"]);
  expect(same.stdout).toBe("That is @hopper's handle already.\n");
  expect(await bo.refusal(["people", "rename", "@bo", "grace"])).toBe("handle_taken");
  expect(await bo.refusal(["people", "rename", "@hopper", "grace"])).toBe("server_admin_required");
  const by = await ada.ok(["people", "rename", "@hopper", "grace"]);
  expect(by.stdout).toBe(`@hopper is @grace from now on at ${url}.\n`);
  expect(savedHandle(grace)).toBe("hopper");
  await grace.ok(["whoami"]);
  expect(savedHandle(grace)).toBe("grace");
  const { people } = await ada.json(["board", "people", "--board", "docs"]);
  expect(people.map(({ handle }: any) => handle)).toContain("grace");
  expect(await ada.refusal(["people", "rename", "@hopper", "x"])).toBe("person_not_found");
});

test("what another person is called stays on their line", async () => {
  const { link } = await ada.json(["invite", "--person"]);
  const eve = newMachine("Eve");
  const shown = "Eve\u202e@ada-l  Ada  admin";
  await eve.ok(["connect", link, "--display-name", shown]);
  const { stdout } = await ada.ok(["people"]);
  expect(stdout.split("\n").filter((line) => line.includes("@ada-l"))).toHaveLength(2);
  expect(stdout).toMatch(/^ {2}@eve +Eve@ada-l {2}Ada {2}admin +member +since /m);
  expect(stdout).not.toMatch(/\u202e/);
  await ada.ok(["people", "remove", "@eve", "--yes"]);
});

test("removing a person says first what ends, and ends it for good", async () => {
  const docs = ["--board", "docs"];
  const { join_line: line } = await grace.json(["invite", ...docs]);
  await grace.ok(["join", line, "--name", "gus"]);
  await grace.ok(["board", "new", "shared"]);
  await grace.ok(["board", "add", "@bo", "--board", "shared"]);
  await grace.ok(["board", "new", "diary", "--private"]);
  const { id: diary } = await grace.json(["api", "getBoard", "board=diary"]);
  await grace.ok(["keys", "create", "spare"]);

  const words = ["people", "remove", "@grace"];
  const question = `Removing @grace from ${url} ends for good 2 keys, 1 agent, and the membership of 3 boards; 1 of them passes to another owner; nobody is left on ${diary}. Remove them?`;
  expect(await errorOf(ada, words)).toMatchObject({
    code: "confirmation_required",
    message: question,
    hint: "To go on: `service people remove @grace --json --yes`",
  });
  const kept = await atTerminal(ada, words, question, "n");
  expect(kept.screen).toContain("Nothing was changed.");
  expect((await grace.json(["whoami"])).me.name).toBe("grace");

  const { removal, server } = await ada.json([...words, "--yes"]);
  expect([server.name, removal]).toEqual([
    "local",
    {
      person: expect.objectContaining({ handle: "grace" }),
      dry_run: false,
      keys_revoked: 2,
      browser_sessions_ended: 0,
      agents_removed: 1,
      boards_left: 3,
      owners_passed: 1,
      unreachable_boards: [diary],
    },
  ]);
  expect(await grace.refusal(["whoami"])).toBe("unauthorized");
  expect(await grace.refusal(["inbox", "--as", "gus"])).toBe("agent_removed");
  expect(await rolesOf()).toEqual(["ada-l admin", "bo member", "gil guest"]);
});

test("nobody removes the last admin, and only an admin removes anybody", async () => {
  expect(await ada.refusal(["people", "remove", "@ada-l"])).toBe("last_admin");
  expect(await ada.refusal(["people", "remove", "@ada-l", "--yes"])).toBe("last_admin");
  expect(await bo.refusal(["people", "remove", "@ada-l", "--yes"])).toBe("server_admin_required");
  expect(await ada.refusal(["people", "remove", "@nobody", "--yes"])).toBe("person_not_found");
});

test("they are a person's commands", async () => {
  const env = { CLAUDECODE: "1" };
  for (const words of [
    ["role", "@bo", "admin"],
    ["rename", "@bo", "bob"],
    ["remove", "@bo", "--yes"],
  ]) {
    const typed = ["people", ...words];
    const { code, hint } = (await ada.run([...typed, "--json"], { env })).json().error;
    expect(code).toBe("human_command_in_session");
    expect(hint).toEndWith(`\`service ${typed.filter((word) => word !== "--yes").join(" ")}\``);
  }
});
