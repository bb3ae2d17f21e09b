import { expect, test } from "bun:test";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok } = machine;
const rex = ["--as", "rex"];
const board = { params: { board: "plans" } };
const server = await clockedServer();

await ok(["login", server.url], { stdin: server.world.admin.token });
await ok(["pair", "--board", "plans", "--name", "rex", "--server", server.url]);
const writer = await server.world.seat(server.world.admin, "plans", { name: "writer" });

const post = (body: string, more = {}) =>
  writer.call("postMessage", { ...board, body: { body, ...more } });
const open = async (title: string) =>
  (await writer.call("createTask", { ...board, body: { title } })).ref;
test("a task without messages has no conversation", async () => {
  const ref = await open("Quiet");
  expect((await json(["task", "show", ref, ...rex])).threads).toEqual([]);
  expect((await ok(["task", "show", ref, ...rex])).stdout).not.toContain("Conversation");
});

test("where a task stands is told with how many messages followed", async () => {
  const ref = await open("Noted");
  await ok(["task", "note", "Half", "--task", ref, "--server", server.url]);
  expect((await ok(["task", "show", ref, ...rex])).stdout).not.toContain("since");
  await post("More", { about: [ref] });
  expect((await ok(["task", "show", ref, ...rex])).stdout).toMatch(
    /Where it stands · version 1 by @\S+ · [-\d: ]+ · 1 message since\n    Half\n/,
  );
});

test("what a task is blocked on is shown, and of what the reader may not read how much there is", async () => {
  const ref = await open("Held up");
  const at = server.world.clock.now.toISOString();
  const member = { kind: "agent", role: "member", owner: "ana" };
  const ask = {
    ask_id: "msg_00000000000000000000000000",
    ask_seq: 12,
    since: at,
    from: { ...member, name: "rex" },
    to: { ...member, name: "writer" },
  };
  const blocked = { blocked: true, blocked_count: 2, blocked_on: [ask] };
  server.between = async (request, answer) => {
    const path = new URL(request.url).pathname;
    const given = (await (await answer()).json()) as { tasks: object[]; counts: object };
    if (path.endsWith(`/tasks/${ref}`)) return Response.json({ ...given, ...blocked });
    if (!path.endsWith("/tasks")) return Response.json(given);
    const tasks = given.tasks.map((task) => ({ ...task, ...blocked }));
    return Response.json({ ...given, tasks, counts: { ...given.counts, blocked: 3 } });
  };
  const { stdout } = await ok(["task", "show", ref, ...rex]);
  expect(stdout).toMatch(
    /\nBlocked on\n    #12 @rex asks @writer · since [-\d: ]+\n    1 question that you may not read\n$/,
  );
  const list = (await ok(["task", "list", ...rex])).stdout;
  expect(list.split("\n")[0]).toContain(" · 3 blocked · ");
  expect(list).toMatch(/PLA-\d+ +Held up +blocked\n/);
  server.between = (_, answer) => answer();
});
