import { describe, expect, test } from "bun:test";
import { startDocs } from "../support/boards/docs-board-with-people.ts";
import { newMachine } from "../support/commands/machine.ts";
import { lines, overHttp, overStdio, type ToolClient } from "../support/mcp/tool-clients.ts";

const names = ["say", "inbox", "read", "task", "ask", "file", "search", "api"];

/** What every client can do through every door. */
async function worksWith(client: ToolClient) {
  expect((await client.tools()).map(({ name }) => name)).toEqual(names);
  const said = await client.use("say", { text: "Ship it?", to: ["all"], expects_reply: true });
  expect(said.text).toStartWith("Sent #");
  expect(said.data.message.from.name).toBe("writer");
  const read = await client.use("read", { do: "messages" });
  expect(read.text).toContain("\nShip it?\n</service-message>");
  const refused = await client.use("task", { do: "show", task: "DOC-99" });
  expect(refused.isError).toBe(true);
  expect(refused.data.error.code).toBe("task_not_found");
  expect(refused.text).toContain('`task` {"do":"list"}');
  const unknown = await client.use("say", { text: "a", colour: "red" });
  expect(unknown.data.error).toMatchObject({ code: "invalid_request" });
  expect(unknown.text).toContain("colour is not a field of this request");
  await client.close();
}

describe.each(lines)("the official client, %s", (line) => {
  test("lists and calls the tools over HTTP", async () => {
    const { world, writer } = await startDocs({ writer: "ana" });
    const { url, handle } = world;
    await worksWith(await overHttp(line, { url, token: writer.token, fetch: handle }));
  });

  test("lists and calls the tools over stdio", async () => {
    const machine = newMachine();
    await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
    await worksWith(await overStdio(line, machine, ["--as", "writer"]));
  });
});
