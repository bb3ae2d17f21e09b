import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";
import { newMachine } from "../../support/commands/machine.ts";

// Ada's machine has the server, so she is its admin; Grace comes to it by invitation.
const ada = newMachine();
const grace = newMachine("Grace");
const docs = ["--board", "docs"];
const inSession = { env: { CLAUDECODE: "1" } };

const url = (await ada.json(["pair", "writer-reviewer", "--board", "docs"])).server.url;
const { link } = await ada.json(["invite", "--person", ...docs]);
await grace.ok(["connect", link]);
const { join_line: line } = await grace.json(["invite", ...docs]);
await grace.ok(["join", line, "--name", "gus"]);
await ada.ok(["board", "new", "plans"]);

const errorOf = async (ran: ReturnType<typeof ada.run>) => (await ran).json().error;
const namesOf = ({ boards }: any) => boards.map(({ name }: any) => name);
const docsId = async () => (await ada.json(["api", "getBoard", "board=docs"])).id;

test("an archived board is read and not written, until it is restored", async () => {
  const id = await docsId();
  const archived = await ada.json(["board", "archive", ...docs]);
  const server = { name: "local", url };
  expect(archived).toEqual({ server, board: "docs", id, lifecycle: "archived", changed: true });
  expect(await ada.json(["board", "archive", ...docs])).toEqual({ ...archived, changed: false });
  expect((await ada.json(["read", "--as", "writer"])).messages).toEqual([]);
  const { code, hint } = await errorOf(ada.run(["say", "--as", "writer", "Hello.", "--json"]));
  expect([code, hint]).toEqual([
    "board_archived",
    expect.stringContaining("`service board restore --board docs`"),
  ]);
  expect(await ada.refusal(["invite", ...docs])).toBe("board_archived");
  // Named by its id, and found without a name because it is the only one.
  const restored = { server, board: id, id, lifecycle: "active", changed: true };
  expect(await ada.json(["board", "restore", "--board", id])).toEqual(restored);
  await ada.ok(["board", "archive", ...docs]);
  expect((await ada.ok(["board", "restore"])).stdout).toBe(`Board docs at ${url} is active.\n`);
  await ada.ok(["say", "--as", "writer", "Hello."]);
});

test("boards lists the active ones, counts the archived ones and shows them when asked", async () => {
  expect(await ada.json(["boards"])).toMatchObject({ archived_count: 0, hidden_boards: [] });
  expect((await ada.ok(["boards"])).stdout).not.toContain("archived");
  await ada.ok(["board", "archive", ...docs]);
  const active = await ada.json(["boards"]);
  expect([namesOf(active), active.lifecycle, active.archived_count]).toEqual([
    ["plans"],
    "active",
    1,
  ]);
  expect((await ada.ok(["boards"])).stdout).toMatch(/\n1 archived: .+ boards --archived\n$/);
  const archived = await ada.json(["boards", "--archived"]);
  expect([namesOf(archived), archived.lifecycle, archived.archived_count]).toEqual([
    ["docs"],
    "archived",
    1,
  ]);
  expect(archived.boards[0]).toMatchObject({ lifecycle: "archived", default: false });
  expect((await ada.ok(["boards", "--archived"])).stdout).toStartWith(`Archived boards at ${url}:`);
  const own = await ada.run(["boards", "--as", "writer"]);
  expect(own.stdout).toMatch(/^No active boards at .+\n1 archived: .+ --archived --as writer\n$/);
  expect(namesOf(await ada.json(["boards", "--as", "writer", "--archived"]))).toEqual(["docs"]);
  // Grace is on no other board.
  expect(await errorOf(grace.run(["board", "people", "--json"]))).toMatchObject({
    message: "Every board that you are on is archived.",
    hint: expect.stringContaining("`service boards --archived`"),
  });
  for (const [machine, remedy] of [
    [ada, /Restore it: .+ board restore --board docs\n$/],
    [grace, /No code works there until its creator or an admin restores it\.\n$/],
  ] as const) {
    const { stdout } = await machine.ok(["join", ...docs]);
    expect(stdout).toStartWith(`You are already on board docs at ${url}, which is archived.`);
    expect(stdout).toMatch(remedy);
    expect(stdout).not.toContain("invite");
  }
  await ada.ok(["board", "restore", ...docs]);
});

test("the creator's agent archives and restores its board, another's does not", async () => {
  const session = { env: { CLAUDECODE: "1", SERVICE_AGENT: "writer" } };
  const archived = await ada.json(["board", "archive"], session);
  expect(archived).toMatchObject({ board: "docs", lifecycle: "archived", changed: true });
  const { id } = archived;
  const restored = await ada.json(["board", "restore", "--board", id, "--as", "writer"]);
  expect(restored).toMatchObject({ board: id, lifecycle: "active", changed: true });
  for (const words of [["--as", "gus"], docs])
    expect(await errorOf(grace.run(["board", "archive", ...words, "--json"]))).toMatchObject({
      code: "board_creator_required",
      hint: expect.stringContaining("@ada-l"),
    });
  expect(await ada.refusal(["board", "archive", ...docs], inSession)).toBe("agent_not_selected");
  const withServer = ["board", "archive", "--as", "writer", "--server", "local"];
  expect((await ada.run(withServer)).code).toBe(2);
});

test("an admin sees private boards of others by their id alone, and keeps house there", async () => {
  const { id } = (await grace.json(["board", "new", "diary", "--private"])).board;
  const listed = await ada.json(["boards", "--all"]);
  expect(listed.hidden_boards).toMatchObject([
    { id, lifecycle: "active", created_by: { handle: "grace" }, people: 1, can_archive: true },
  ]);
  const { stdout } = await ada.ok(["boards", "--all"]);
  expect(stdout).toContain(`Private boards at ${url} that you are not on:\n  ${id}  by @grace`);
  expect(stdout).toMatch(/Archive one: .+ board archive --board ID\n/);
  expect(stdout).not.toContain("diary");
  expect((await ada.json(["boards"])).hidden_boards).toEqual([]);
  expect((await grace.json(["boards", "--all"])).hidden_boards).toEqual([]);
  expect(await ada.refusal(["board", "archive", "--board", "diary"])).toBe("board_not_found");
  await ada.ok(["board", "archive", "--board", id]);
  const archived = await ada.json(["boards", "--all", "--archived"]);
  expect(archived).toMatchObject({ archived_count: 0, boards: [], hidden_boards: [{ id }] });
  const unread = ["board", "delete", "--board", id];
  const { screen } = await atTerminal(ada, unread, `Type ${id} to go on:`, "no");
  expect(screen).toContain("Not deleted.");
  expect(await ada.json([...unread, "--yes"])).toEqual({
    server: { name: "local", url },
    board: id,
    id,
    lifecycle: "deleted",
    changed: true,
  });
  expect(await grace.refusal(["board", "people", "--board", "diary"])).toBe("board_not_found");
  expect((await ada.json(["boards", "--all", "--archived"])).hidden_boards).toEqual([]);
});

test("deleting needs an archived board, by name, and an answer", async () => {
  await ada.ok(["board", "new", "draft"]);
  const { join_line: line } = await ada.json(["invite", "--board", "draft"]);
  await ada.ok(["join", line, "--name", "dora"]);
  const words = ["board", "delete", "--board", "draft"];
  const early = await errorOf(ada.run([...words, "--yes", "--json"]));
  expect(early).toMatchObject({
    code: "board_not_archived",
    message: "Board draft is not archived.",
    hint: expect.stringContaining("`service board archive --board draft`"),
  });
  const unasked = await atTerminal(ada, words, "Error", "draft");
  expect([unasked.code, unasked.screen]).toEqual([
    1,
    expect.stringContaining("Board draft is not archived."),
  ]);
  expect(unasked.screen).not.toContain("Type draft");
  await ada.ok(["board", "archive", "--board", "draft"]);
  expect(await errorOf(ada.run(["board", "delete", "--yes", "--json"]))).toMatchObject({
    code: "board_not_selected",
    details: { choices: ["draft"] },
  });
  const question = `Deleting board draft at ${url} ends every way to read it, and nothing brings it back.`;
  const asked = await ada.run(words);
  expect([asked.code, asked.stderr]).toEqual([
    1,
    expect.stringMatching(/Error \(confirmation_required\).+\nHint: .+ draft --yes`\n/),
  ]);
  expect(asked.stderr).toContain(question);
  const typing = `${question} Type draft to go on:`;
  const kept = await atTerminal(ada, words, typing, "yes");
  expect([kept.code, kept.screen]).toEqual([0, expect.stringContaining("Not deleted.")]);
  expect(namesOf(await ada.json(["boards", "--archived"]))).toEqual(["draft"]);
  const deleted = await atTerminal(ada, words, typing, "draft");
  expect([deleted.code, deleted.screen]).toEqual([
    0,
    expect.stringContaining(`Board draft at ${url} is deleted.`),
  ]);
  expect(await ada.refusal(["board", "people", "--board", "draft"])).toBe("board_not_found");
  expect(await ada.refusal(["whoami", "--as", "dora"])).toBe("agent_not_selected");
  expect(readFileSync(join(ada.home, "config/credentials.json"), "utf8")).not.toContain("draft");
  expect(await ada.refusal(["board", "new", "draft"])).toBe("board_name_taken");
});

test("deleting is never an agent's, nor a session's", async () => {
  const words = ["board", "delete", ...docs, "--yes"];
  const { code, hint } = await errorOf(ada.run([...words, "--json"], inSession));
  expect([code, hint]).toEqual([
    "human_command_in_session",
    "Your person runs this in a terminal: `service board delete --board docs`",
  ]);
  expect(await ada.refusal([...words, "--as", "writer"])).toBe("human_command_in_session");
  expect(await grace.refusal(words)).toBe("board_creator_required");
});
