import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { newMachine, type Machine } from "../../support/commands/machine.ts";

// Ada's machine with the server; Gil, who comes as a guest; Grace, a member of the server.
const ada = newMachine();
const gil = newMachine("Gil");
const grace = newMachine("Grace");
const docs = ["--board", "docs"];

const env = { SERVICE_RATE_SCALE: "0" };
const url = (await ada.json(["pair", "writer-reviewer", "--board", "docs"], { env })).server.url;
const { link } = await ada.json(["invite", "--person"]);
await grace.ok(["connect", link]);

const configOf = ({ home }: Machine, name: string) =>
  JSON.parse(readFileSync(join(home, "config", name), "utf8"));
const errorOf = async (machine: Machine, words: string[]) =>
  (await machine.run([...words, "--json"])).json().error;
const inviteGuest = async (handle: string, board = "docs"): Promise<string> =>
  (await ada.json(["invite", "--guest", handle, "--board", board])).join_line;

test("a guest is invited with a line that says what to do with it", async () => {
  const { stdout } = await ada.ok(["invite", "--guest", "@ida", ...docs, "--role", "writer"]);
  const [head, here, empty, line, sentence] = stdout.split("\n");
  expect(head).toStartWith(
    `A code with which @ida, and nobody else, comes onto board docs at ${url} once, until `,
  );
  expect(here).toMatch(
    /^This server can be reached only from this machine\. For people elsewhere, run a server for a team: .+ help serve$/,
  );
  expect(line).toMatch(/^Join service board docs on localhost:\d+ as guest with code \w{3}-\w{3}$/);
  expect([empty, sentence]).toEqual([
    "",
    `Join it: your person runs \`service join "${line}"\` in a terminal, then you act with the \`--as NAME\` that it prints, read its charter, and greet the others on the board.`,
  ]);
  const invited = await ada.json(["invite", "--guest", "ida", ...docs, "--ttl", "10m"]);
  expect(invited).toEqual({
    id: expect.stringMatching(/^jc_/),
    server: { name: "local", url },
    board: "docs",
    role: "reviewer",
    guest: "ida",
    join_line: expect.stringContaining(" as guest with code "),
    prompt: expect.stringContaining(invited.join_line),
    expires_at: expect.stringMatching(/Z$/),
  });
});

test("a newcomer's line makes them a guest, with a key and an agent of their own", async () => {
  const line = await inviteGuest("gil");
  const joined = await gil.json(["join", line.toLowerCase()]);
  expect(joined).toMatchObject({
    server: { name: url, url },
    board: { name: "docs" },
    agent: { name: "reviewer", role: "reviewer", owner: "gil" },
    use: { as: "reviewer" },
    guest: true,
    role_charter: expect.stringContaining("Review"),
  });
  expect(JSON.stringify(joined)).not.toMatch(/ab[ah]_/);
  expect(configOf(gil, "servers.json")).toMatchObject({
    default: url,
    servers: [{ handle: "gil" }],
  });
  expect(configOf(gil, "credentials.json")).toMatchObject([{ server: url, board: "docs" }]);
  for (const name of ["servers.json", "credentials.json"])
    expect(statSync(join(gil.home, "config", name)).mode & 0o777).toBe(0o600);
  expect(await newcomerWith(line)).toBe("join_code_invalid");
});

/** What a machine without any key is told of a line. */
async function newcomerWith(line: string, ...words: string[]): Promise<string> {
  const machine = newMachine("Newcomer");
  const code = await machine.refusal(["join", line, ...words]);
  expect(existsSync(join(machine.home, "config/servers.json"))).toBe(false);
  return code;
}

test("a guest reads and posts, and sees what is theirs", async () => {
  const said = await gil.json(["say", "Good morning.", "--as", "reviewer"]);
  expect(said.message.from).toMatchObject({ name: "reviewer", owner: "gil" });
  for (const machine of [ada, gil]) {
    const { messages } = await machine.json(["api", "listMessages", "board=docs"]);
    expect(messages.map(({ body }: any) => body)).toEqual(["Good morning."]);
  }
  expect((await gil.ok(["whoami"])).stdout).toBe(`@gil, guest at ${url}\n`);
  expect(await gil.json(["boards"])).toMatchObject({
    person: "gil",
    boards: [{ name: "docs", role: "member", on_board: true }],
  });
  const status = await gil.json(["status"]);
  expect(status).toMatchObject({
    server: { url },
    server_running: true,
    board: "docs",
    board_source: "only",
    agents: ["reviewer"],
  });
  expect(status.people.map(({ name }: any) => name)).toEqual(["ada-l", "gil"]);
  expect((await gil.json(["status", "--as", "reviewer"])).agent).toBe("reviewer");
  expect((await gil.json(["board", "people", ...docs])).people).toHaveLength(2);
});

test("everything else is not a guest's", async () => {
  for (const words of [
    ["people"],
    ["keys"],
    ["keys", "create", "second"],
    ["keys", "sessions"],
    ["logout", "--browsers"],
    ["pair"],
    ["board", "new", "own"],
    ["board", "add", "@grace", ...docs],
    ["board", "title", "Mine", ...docs],
    ["invite", ...docs],
    ["invite", "--guest", "ida", ...docs],
    ["invite", "--person"],
    ["agent", "prune"],
    ["people", "rename", "@gil", "gilbert"],
  ])
    expect([words, await gil.refusal(words)]).toEqual([words, "guest_not_allowed"]);
});

test("a guest who is here already redeems the next line with their own key", async () => {
  await ada.ok(["board", "new", "side"]);
  const line = await inviteGuest("gil", "side");
  expect(await newcomerWith(line)).toBe("join_code_invalid");
  const before = configOf(gil, "servers.json");
  const { stdout } = await gil.ok(["join", line, "--name", "gus"]);
  expect(stdout).toStartWith(
    `You are a guest of ${url} as @gil: you and your agent read and post on board side, and do nothing else.\nAgent gus is on board side at ${url}, role member.\n`,
  );
  expect(stdout).not.toContain("board policy");
  expect(configOf(gil, "servers.json")).toEqual(before);
  expect((await gil.json(["boards"])).boards.map(({ name }: any) => name)).toEqual([
    "docs",
    "side",
  ]);
});

test("a guest signs in elsewhere with the key they have, of which they see no more than who they are", async () => {
  const [{ key }] = configOf(gil, "servers.json").servers;
  const laptop = newMachine();
  const signedIn = await laptop.json(["login", url], { stdin: key });
  expect(signedIn).toMatchObject({
    person: { handle: "gil", server_role: "guest" },
    key: null,
    previous_use: null,
  });
  const { stdout } = await laptop.ok(["login", url], { stdin: key });
  expect(stdout).toStartWith(`Signed in to ${url} as @gil (guest).\nIf another machine uses this`);
  expect(stdout).not.toContain("keys create");
});

test("a guest's line is for nobody else, and a refusal leaves it unused", async () => {
  const line = await inviteGuest("ida");
  for (const machine of [ada, grace, gil])
    expect(await machine.refusal(["join", line])).toBe("guest_code_not_for_members");
  expect(await newcomerWith(line, "--name", "writer")).toBe("name_taken");
  const ida = newMachine("Ida");
  expect(await ida.json(["join", line, "--name", "ivy"])).toMatchObject({
    agent: { name: "ivy", owner: "ida" },
  });
});

test("who is no guest, and what is no handle, is not invited as one", async () => {
  expect(await errorOf(ada, ["invite", "--guest", "grace", ...docs])).toMatchObject({
    code: "handle_taken",
    hint: expect.stringContaining("`service board add @grace --board docs`"),
  });
  for (const [words, code] of [
    [["--guest", "gil"], "already_on_board"],
    [["--guest", "Not A Handle"], "handle_invalid"],
    [["--guest", "@"], "handle_invalid"],
    [["--guest", "ivo", "--role", "nobody"], "role_not_found"],
  ] as const)
    expect(await ada.refusal(["invite", ...words, ...docs])).toBe(code);
  for (const words of [
    ["--guest", "ivo", "--person"],
    ["--guest", "ivo", "--ttl", "200h"],
    ["--guest", "ivo", "--board", "side"],
    ["--person", "--role", "member"],
  ])
    expect((await ada.run(["invite", ...words, ...docs])).code).toBe(2);
  const env = { CLAUDECODE: "1" };
  expect(await ada.refusal(["invite", "--guest", "ivo", ...docs], { env })).toBe(
    "human_command_in_session",
  );
});

test("a line that names another machine's own server says so", async () => {
  const line = "Join service board docs on localhost:9 as guest with code 123-456";
  const machine = newMachine();
  const { code, hint } = await errorOf(machine, ["join", line]);
  expect([code, hint]).toEqual([
    "server_unreachable",
    "The line names a server on the machine where it was made, and works only there.",
  ]);
  expect((await machine.run(["join", line, "--server", url])).code).toBe(2);
  expect(await errorOf(machine, ["join", `${url}/join#abi_x`])).toMatchObject({
    code: "join_line_invalid",
    hint: "It is an invitation to a server: `service connect 'LINK'`.",
  });
});

test("a guest who is on no board any more is told what brings them onto one", async () => {
  const kim = newMachine("Kim");
  const { join_line: line } = await ada.json(["invite", "--guest", "kim", ...docs]);
  await kim.ok(["join", line]);
  await kim.ok(["board", "leave", "--yes"]);
  const { code, hint } = await errorOf(kim, ["board", "people"]);
  expect([code, hint]).toEqual([
    "board_not_selected",
    "Somebody on a board brings you there with a code: `service join CODE`.",
  ]);
  for (const words of [["boards"], ["boards", "--all"]]) {
    const { stdout } = await kim.ok(words);
    expect(stdout).toMatch(
      /^You are on no board at \S+\. Somebody on a board brings you there with a code: .+ join CODE\n$/,
    );
  }
});
