import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "../../../src/client/client.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, run } = machine;
/** One more board than a page of the short list has. */
const names = Array.from({ length: 501 }, (_, index) => `board-${index + 1}`);
let person: Client;

beforeAll(async () => {
  await ok(["up"]);
  const { url } = (await json(["status"])).server;
  const token = readFileSync(join(machine.home, "config/owner-token"), "utf8").trim();
  person = createClient({ baseUrl: url, token });
  for (const name of names) await person.call("createBoard", { body: { name } });
  const last = { params: { board: "board-501" } };
  await person.call("updateBoard", { ...last, body: { task_prefix: "LAST" } });
  await person.call("createTask", { ...last, body: { title: "On the last board" } });
});
afterAll(() => machine.end());

test("commands know the boards of every page of the list", async () => {
  const { stdout } = await run(["task", "list", "--json"]);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: "board_not_selected",
    details: { choices: expect.arrayContaining(["board-1", "board-500", "board-501"]) },
  });
  expect(await json(["status"])).toMatchObject({ board: null, board_source: "none" });
  expect(await json(["task", "show", "LAST-1"])).toMatchObject({ board: "board-501" });
  const { boards } = await json(["boards"]);
  expect(boards.map(({ name }: { name: string }) => name)).toEqual(names);
  const { code } = await person.call("createJoinCode", {
    params: { board: "board-501" },
    body: { role: "member" },
  });
  expect(code).toBeString();
  expect((await json(["invite", "list"])).join_codes).toMatchObject([{ board: "board-501" }]);
}, 60_000);
