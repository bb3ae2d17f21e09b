import { beforeAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const colleague = newMachine("Bea");
const { ok, run } = machine;
let elsewhere = "";

beforeAll(async () => {
  await ok(["pair", "--board", "plans", "--name", "eve"]);
  await colleague.ok(["board", "new", "rooms"]);
  elsewhere = (await colleague.json(["keys"])).server.url;
  const { link } = await colleague.json(["invite", "--person", "--board", "rooms"]);
  await ok(["connect", link, "--handle", "ada"]);
  await ok(["servers", "use", "local"]);
});

const errorOf = async (words: string[], env: Record<string, string> = {}) =>
  (await run([...words, "--json"], { env })).json().error;

describe("a name that is not there leads to the one that is meant", () => {
  test("a board with a like name", async () => {
    const { code, hint } = await errorOf(["task", "list", "--board", "plan"]);
    expect([code, hint]).toEqual([
      "board_not_found",
      expect.stringMatching(/^Did you mean plans\? `service boards` lists yours/),
    ]);
  });

  test("the wrong one of several boards, and that of the environment", async () => {
    await ok(["board", "new", "docs"]);
    const { code, hint } = await errorOf([
      "invite",
      "--person",
      "--board",
      "plans",
      "--board",
      "dosc",
    ]);
    expect([code, hint]).toEqual([
      "board_not_found",
      expect.stringMatching(/^Did you mean docs\?/),
    ]);
    const named = await errorOf(["task", "list"], { SERVICE_BOARD: "plan" });
    expect(named.hint).toStartWith("Did you mean plans?");
    const far = await errorOf(["invite", "--person", "--board", "plans", "--board", "rooms"]);
    expect(far.hint).toBe(`rooms is at ${elsewhere}: add \`--server ${elsewhere}\`.`);
  });

  test("a board of another server", async () => {
    expect(await errorOf(["board", "people", "--board", "rooms"])).toMatchObject({
      code: "board_not_found",
      hint: `rooms is at ${elsewhere}: add \`--server ${elsewhere}\`.`,
    });
    await ok(["board", "people", "--board", "rooms", "--server", elsewhere]);
  });

  test("a person with a like handle", async () => {
    const { link } = await machine.json(["invite", "--person"]);
    await newMachine("Bea").ok(["connect", link, "--handle", "bea"]);
    for (const [words, code] of [
      [["board", "add", "@beaa", "--board", "docs"], "person_not_found"],
      [["people", "role", "baa", "admin"], "person_not_found"],
      [["board", "owner", "be", "--board", "plans"], "person_not_on_board"],
    ] as const)
      expect(await errorOf([...words])).toMatchObject({
        code,
        hint: expect.stringMatching(/^Did you mean @bea\? `/),
      });
    // Neither where nothing is like it, nor where the person is there but not on the board.
    for (const words of [
      ["people", "role", "xyzzy", "admin"],
      ["board", "owner", "bea", "--board", "plans"],
    ])
      expect((await errorOf(words)).hint).not.toContain("Did you mean");
  });

  test("an agent", async () => {
    expect((await errorOf(["whoami", "--as", "ave"])).message).toBe(
      "This machine has no agent ave. Did you mean eve?",
    );
  });

  test("a target without its @", async () => {
    for (const [typed, meant] of [
      ["eve", "Write `--to @eve` for a member, or `--to role:eve` for a role."],
      ["everyone", "Write `--to all`, or leave `--to` out."],
    ] as const)
      expect(await errorOf(["say", "x", "--to", typed, "--as", "eve"])).toMatchObject({
        code: "invalid_target",
        hint: meant,
      });
  });

  test("but nothing is guessed for an agent, nor where nothing is like it", async () => {
    for (const words of [
      ["task", "list", "--board", "xyzzy"],
      ["api", "GET", "/v1/boards/plan", "--as", "eve"],
    ])
      expect((await errorOf(words)).hint).not.toContain("Did you mean");
  });
});

test("an agent without a seat is sent to its person, and shown no other's seat", async () => {
  for (const words of [
    ["read"],
    ["say", "hi"],
    ["inbox"],
    ["task", "list"],
    ["say", "hi", "--as", "ev"],
    ["inbox", "--as", "nobody"],
  ]) {
    const error = await errorOf(words, { CLAUDECODE: "1" });
    expect(error.code).toBe("agent_not_selected");
    expect(error.hint).toContain("Ask your person which agent you are");
    expect(JSON.stringify(error)).not.toContain("eve");
  }
});

test("a taken name of a board leads to a second agent on it", async () => {
  const { code, hint } = await errorOf(["pair", "--board", "plans"]);
  expect([code, hint]).toEqual([
    "board_name_taken",
    expect.stringContaining("`service invite --board plans`"),
  ]);
});

test("a search that finds nothing says how to find words by their beginning", async () => {
  expect((await ok(["search", "hel", "--as", "eve"])).stdout).toContain("`hel*`");
});

test("what is missing is told with the help of that command", async () => {
  expect((await errorOf(["react"])).hint).toBe("`service help react` shows how it is used.");
  expect((await errorOf(["task", "new", "--xyzzy"])).hint).toStartWith(
    "`service help task new` lists its flags.",
  );
});

test("a folder as the text, the key, the body or the file is refused in words", async () => {
  const main = resolve(import.meta.dir, "../../../src/main.ts");
  for (const words of [
    "say --as eve",
    "login https://board.example.org",
    "api postMessage board=plans --input -",
    "file put - --name a.md --as eve",
  ]) {
    const child = Bun.spawn(["sh", "-c", `"${process.execPath}" "${main}" ${words} < /`], {
      env: machine.env,
      stderr: "pipe",
    });
    expect([words, await child.exited, await new Response(child.stderr).text()]).toEqual([
      words,
      2,
      expect.stringContaining("Standard input is a folder."),
    ]);
  }
});
