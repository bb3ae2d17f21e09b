import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";
import { newMachine } from "../../support/commands/machine.ts";

// Ada's machine has the server; Grace comes to it by invitation.
const ada = newMachine();
const grace = newMachine("Grace");
const docs = ["--board", "docs"];
const inSession = { env: { CLAUDECODE: "1" } };

const url = (await ada.json(["pair", "writer-reviewer", "--board", "docs"])).server.url;
const { link } = await ada.json(["invite", "--person", ...docs]);
await grace.ok(["connect", link]);

const errorOf = async (ran: ReturnType<typeof ada.run>) => (await ran).json().error;
const handlesOn = async (board: string) =>
  (await ada.json(["board", "people", "--board", board])).people.map(
    (one: any) => `${one.handle} ${one.board_role}`,
  );
const seatsOf = (home: string) =>
  JSON.parse(readFileSync(join(home, "config/credentials.json"), "utf8")).map(
    ({ name, board }: any) => `${name} ${board}`,
  );

/** Gives Grace an agent on a board. */
async function graceSeats(name: string, board: string) {
  const { join_line: line } = await grace.json(["invite", "--board", board]);
  await grace.ok(["join", line, "--name", name]);
}

test("the last owner stays until somebody else is one", async () => {
  const error = await errorOf(ada.run(["board", "leave", "--yes", ...docs, "--json"]));
  expect(error).toMatchObject({
    code: "last_owner",
    hint: expect.stringContaining("`service board owner @handle --board docs`"),
  });
  const made = await ada.json(["board", "owner", "@grace", ...docs]);
  expect(made).toEqual({
    board: "docs",
    person: expect.objectContaining({ handle: "grace", board_role: "owner" }),
    changed: true,
  });
  expect(await ada.json(["board", "owner", "grace", ...docs])).toMatchObject({ changed: false });
  expect(await handlesOn("docs")).toEqual(["ada-l owner", "grace owner"]);
});

test("only an owner makes owners and removes people, and only of those on the board", async () => {
  await ada.ok(["board", "new", "owned"]);
  await ada.ok(["board", "add", "@grace", "--board", "owned"]);
  const owned = ["--board", "owned"];
  for (const verb of ["owner", "remove"]) {
    const yes = verb === "remove" ? ["--yes"] : [];
    const asked = ["board", verb, "@ada-l", ...yes, ...owned];
    expect(await grace.refusal(asked), verb).toBe("owner_required");
    const { code, hint } = await errorOf(ada.run(["board", verb, "@ida", ...owned, "--json"]));
    expect([code, hint]).toEqual([
      "person_not_on_board",
      expect.stringContaining("`service board people --board owned`"),
    ]);
  }
  expect(await handlesOn("owned")).toEqual(["ada-l owner", "grace member"]);
});

test("a removed person's agents end with them, and their codes", async () => {
  await ada.ok(["board", "new", "rooms", "--private"]);
  await ada.ok(["board", "add", "@grace", "--board", "rooms"]);
  await graceSeats("gus", "rooms");
  const { join_line: line } = await grace.json(["invite", "--board", "rooms"]);
  const removed = await ada.ok(["board", "remove", "@grace", "--yes", "--board", "rooms"]);
  expect(removed.stdout).toBe(
    `@grace is no longer on board rooms at ${url}. Their agents there ended: gus.\n`,
  );
  expect(await handlesOn("rooms")).toEqual(["ada-l owner"]);
  expect(await grace.refusal(["inbox", "--as", "gus"])).toBe("agent_removed");
  expect(await grace.refusal(["join", line])).toBe("join_code_invalid");
  expect(await grace.refusal(["board", "people", "--board", "rooms"])).toBe("board_not_found");
  await ada.ok(["board", "add", "@grace", "--board", "rooms"]);
  expect(await handlesOn("rooms")).toContain("grace member");
});

test("who leaves takes their agents along, and this machine forgets the seats", async () => {
  await ada.ok(["board", "new", "salon"]);
  await ada.ok(["board", "add", "@grace", "--board", "salon"]);
  await graceSeats("gil", "salon");
  expect(seatsOf(grace.home)).toContain("gil salon");
  const left = await grace.json(["board", "leave", "--yes", "--board", "salon"]);
  expect(left).toEqual({ board: "salon", person: expect.objectContaining({ handle: "grace" }) });
  expect(seatsOf(grace.home)).not.toContain("gil salon");
  expect(await grace.refusal(["whoami", "--as", "gil"])).toBe("agent_not_selected");
  expect(await grace.refusal(["board", "leave", "--yes", "--board", "salon"])).toBe("not_on_board");
  await graceSeats("gia", "docs");
  const words = ["board", "leave", "--yes", ...docs];
  expect((await grace.ok(words)).stdout).toBe(
    `You have left board docs at ${url}. Your agents there ended: gia.\n`,
  );
});

test("a board is made private without a question, in both spellings", async () => {
  await ada.ok(["board", "new", "hall"]);
  const hall = ["--board", "hall"];
  const { join_line: line } = await ada.json(["invite", ...hall]);
  expect(await ada.json(["board", "private", ...hall])).toEqual({
    board: "hall",
    before: "open",
    after: "private",
    changed: true,
    reveals: null,
    join_codes_canceled: 1,
  });
  expect(await ada.refusal(["join", line])).toBe("join_code_invalid");
  const again = await ada.ok(["board", "visibility", "private", ...hall]);
  expect(again.stdout).toBe(`Board hall at ${url} is private already.\n`);
  expect(await grace.refusal(["board", "people", ...hall])).toBe("board_not_found");
});

test("opening a private board asks, and says what it reveals", async () => {
  const { join_line: line } = await ada.json(["invite", "--board", "hall"]);
  await ada.ok(["join", line, "--name", "hugo"]);
  await ada.ok(["say", "--as", "hugo", "A secret."]);
  const words = ["board", "open", "--board", "hall"];
  const question = `Board hall at ${url} is private. Once it is open, everybody on the server may join it and read its 1 message. Open it?`;
  expect(await errorOf(ada.run([...words, "--json"]))).toMatchObject({
    code: "confirmation_required",
    message: question,
    hint: "To go on: `service board open --board hall --json --yes`",
  });
  const kept = await atTerminal(ada, words, question, "n");
  expect([kept.code, kept.screen]).toEqual([
    0,
    expect.stringContaining("Board hall stays private."),
  ]);
  const opened = await atTerminal(ada, words, question, "y");
  expect(opened.screen).toContain(
    "is open: everybody on the server may join it and read all of it.",
  );
  await ada.ok(["board", "private", "--board", "hall"]);
  const yes = await ada.json(["board", "visibility", "open", "--board", "hall", "--yes"]);
  expect(yes).toMatchObject({ before: "private", after: "open", changed: true });
  expect(yes.reveals).toEqual({ messages: 1, files: 0 });
  expect(await ada.json(words)).toMatchObject({ after: "open", changed: false, reveals: null });
  expect(await grace.refusal(["board", "private", "--board", "hall"])).toBe("not_on_board");
});

test("they are a person's commands: refused in a session and for an agent", async () => {
  for (const words of [
    ["remove", "@grace"],
    ["leave"],
    ["owner", "@grace"],
    ["visibility", "open"],
    ["open"],
    ["private"],
  ]) {
    const typed = ["board", ...words, ...docs];
    const { code, hint } = await errorOf(ada.run([...typed, "--json"], inSession));
    expect([code, hint]).toEqual([
      "human_command_in_session",
      `Your person runs this in a terminal: \`service ${typed.join(" ")}\``,
    ]);
    expect(await ada.refusal([...typed, "--as", "writer"])).toBe("human_command_in_session");
  }
  expect((await ada.run(["board", "visibility", "hidden", ...docs])).code).toBe(2);
  expect((await ada.run(["board", "owner"])).code).toBe(2);
});
