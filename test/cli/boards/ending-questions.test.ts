import { beforeAll, describe, expect, test } from "bun:test";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, run } = machine;
const docs = ["--board", "docs"];
let url = "";

beforeAll(async () => {
  await ok(["board", "new", "docs"]);
  url = (await json(["status"])).server.url;
  for (const name of ["gil", "gia"]) {
    const { join_line: line } = await json(["invite", ...docs]);
    await ok(["join", line, "--name", name]);
  }
  await ok(["task", "new", "A title", "--as", "gil"]);
  await ok(["task", "start", "DOC-1", "--as", "gil"]);
});

/** The question that a command would ask, where nobody can be asked. Its hint is the command with `--yes`. */
const questionOf = async (words: string[]): Promise<string> => {
  const { error } = (await run([...words, "--json"])).json();
  expect(error).toMatchObject({
    code: "confirmation_required",
    hint: expect.stringContaining("--yes`"),
  });
  return error.message;
};
const seats = async () =>
  (await json(["api", "listMembers", "board=docs"])).members.flatMap(
    ({ kind, name }: { kind: string; name: string }) => (kind === "agent" ? [name] : []),
  );

describe("what ends something for good asks first, and says what ends", () => {
  test.each([
    [
      ["agent", "remove", "gil", ...docs],
      () =>
        `Removing the agent gil from board docs at ${url} ends its seat for good, and it drops its task DOC-1. Remove it?`,
    ],
    [
      ["leave", "--as", "gia"],
      () =>
        "Leaving board docs ends the seat of @gia for good, and no other agent gets its name. Leave it?",
    ],
    [
      ["board", "leave", ...docs],
      () =>
        `Leaving board docs at ${url} ends for good your 2 agents there (gil, gia), and stops your join codes. Go on?`,
    ],
  ])("%j", async (words, question) => {
    const before = await seats();
    expect(await questionOf(words)).toBe(question());
    expect(await seats()).toEqual(before);
  });

  test("a key that carries agents, and no other that this machine does not use", async () => {
    const { key } = await json(["keys", "create", "away"]);
    await ok(["keys", "create", "idle"]);
    expect((await ok(["keys", "revoke", "idle"])).stdout).toEndWith(" is revoked.\n");
    const other = newMachine("Ada L");
    await other.ok(["login", url], { stdin: key.token });
    const { join_line: line } = await json(["invite", ...docs]);
    await other.ok(["join", line, "--name", "far"]);
    expect(await questionOf(["keys", "revoke", "away"])).toBe(
      `Revoking the key away at ${url} ends what was started with it: 1 agent. Revoke it?`,
    );
    expect((await ok(["keys", "revoke", "away", "--yes"])).stdout).toEndWith(
      " is revoked. Ended with it: 1 agent.\n",
    );
  });

  test("an agent is removed without its board where this machine has one seat of the name", async () => {
    const other = newMachine("Olaf");
    for (const board of ["one", "two"]) await other.ok(["board", "new", board]);
    const seat = async (board: string, name: string) => {
      const { join_line: line } = await other.json(["invite", "--board", board]);
      await other.ok(["join", line, "--name", name]);
    };
    await seat("one", "twin");
    await seat("two", "twin");
    await seat("two", "solo");
    const asked = await other.run(["agent", "remove", "solo", "--json"]);
    expect(asked.json().error).toMatchObject({
      code: "confirmation_required",
      message: expect.stringContaining("the agent solo from board two"),
    });
    expect(await other.refusal(["agent", "remove", "twin", "--yes"])).toBe("board_not_selected");
    const inEnvironment = { env: { SERVICE_BOARD: "one" } };
    expect(await other.refusal(["agent", "remove", "solo", "--yes"], inEnvironment)).toBe(
      "agent_not_found",
    );
    await other.ok(["agent", "remove", "solo", "--yes"]);
    const left = (await other.json(["agents"])).agents.map((one: any) => [one.name, one.board]);
    expect(left).toEqual([
      ["twin", "one"],
      ["twin", "two"],
    ]);
  });

  test("and nothing ends when the answer is no", async () => {
    const before = await seats();
    for (const words of [
      ["agent", "remove", "gil", ...docs],
      ["leave", "--as", "gia"],
      ["board", "leave", ...docs],
    ]) {
      const { code, screen } = await atTerminal(machine, words, "[y/N]", "n");
      expect([code, screen]).toEqual([0, expect.stringContaining("Nothing was changed.")]);
    }
    expect(await seats()).toEqual(before);
  });
});
