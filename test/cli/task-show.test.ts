import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { clockedServer, type ClockedServer } from "./clocked-server.ts";
import { newMachine } from "./program.ts";

const machine = newMachine();
const { json, ok } = machine;
const rex = ["--as", "rex"];
const board = { params: { board: "plans" } };
let server: ClockedServer;
let writer: Client;

beforeAll(async () => {
  server = await clockedServer();
  await ok(["login", server.url], { stdin: server.world.admin.token });
  await ok(["pair", "--board", "plans", "--name", "rex", "--server", server.url]);
  writer = await server.world.seat(server.world.admin, "plans", { name: "writer" });
});
afterAll(async () => {
  await server.end();
  await machine.end();
});

const post = (body: string, more = {}) =>
  writer.call("postMessage", { ...board, body: { body, ...more } });
const open = async (title: string) =>
  (await writer.call("createTask", { ...board, body: { title } })).ref;
const shown = async (ref: string, actor = rex) =>
  (await json(["task", "show", ref, ...actor])).threads.map(
    ({ root, participants }: { root: { body: string }; participants: string[] }) => [
      root.body,
      participants,
    ],
  );

test("a task without messages has no conversation", async () => {
  const ref = await open("Quiet");
  expect(await shown(ref)).toEqual([]);
  expect((await ok(["task", "show", ref, ...rex])).stdout).not.toContain("Conversation");
});

test("the threads about a task are shown, that with the newest message about it first", async () => {
  const ref = await open("Talked about");
  const first = await post(`Begin with ${ref}\nat once`);
  await server.world.admin.call("postMessage", {
    ...board,
    body: { body: "Why?", reply_to: first.id },
  });
  const other = await post("Something else");
  await post(`No thread: ${"long ".repeat(20)}`, { about: [ref] });
  await post(`It came to ${ref}`, { reply_to: other.id, to: ["all"] });
  await post("Nothing of it");
  const threads = [
    ["Something else", ["writer"]],
    [`No thread: ${"long ".repeat(20)}`, ["writer"]],
    [`Begin with ${ref}\nat once`, ["writer", "ana"]],
  ];
  for (const actor of [rex, ["--server", server.url]])
    expect(await shown(ref, actor)).toEqual(threads);

  const text = (await ok(["task", "show", ref, ...rex])).stdout;
  const lines = text.slice(text.indexOf("Conversation")).split("\n");
  expect(lines).toEqual([
    "Conversation · 4 messages in 3 threads",
    expect.stringMatching(/^    #\d+ @writer: Something else · 1 reply · [-\d: ]+$/),
    expect.stringMatching(/^    #\d+ @writer: No thread: (long ){9}long … · [-\d: ]+$/),
    expect.stringMatching(/^    #\d+ @writer: Begin with PLA-2 at once · 1 reply · [-\d: ]+$/),
    expect.stringMatching(/^    One of them: .*read --thread \d+ --as rex$/),
    "",
  ]);
  const persons = (await ok(["task", "show", ref, "--server", server.url])).stdout;
  expect(persons).toContain("Conversation");
  expect(persons).not.toContain("--thread");
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

test("a thread that begins with what the reader may not read is left out, and counted", async () => {
  const ref = await open("Half hidden");
  const secret = await post("For the others", { to: ["@writer", "@ana"], about: [] });
  await post(`About ${ref}`, { reply_to: secret.id, to: ["@rex"] });
  await server.world.admin.call("updateBoard", {
    ...board,
    body: { policy: { visibility: "addressed" } },
  });
  expect(await shown(ref)).toEqual([]);
  const { stdout } = await ok(["task", "show", ref, ...rex]);
  expect(stdout).toContain("Conversation · 1 message in 1 thread\n    and 1 more\n");
  expect(stdout).not.toContain("For the others");
  await server.world.admin.call("updateBoard", {
    ...board,
    body: { policy: { visibility: "open" } },
  });
});

test("of many threads the newest twenty are shown", async () => {
  const ref = await open("Much talked about");
  for (let n = 1; n <= 22; n++) await post(`Post ${n}`, { about: [ref] });
  const threads = await shown(ref);
  expect(threads.map(([body]: [string]) => body)).toEqual(
    Array.from({ length: 20 }, (_, n) => `Post ${22 - n}`),
  );
  expect((await ok(["task", "show", ref, ...rex])).stdout).toContain("\n    and 2 more\n");
});

test("a thread that 200 others have followed is found all the same", async () => {
  const ref = await open("Long ago");
  const first = await post(`The one about ${ref}`);
  await post("A reply", { reply_to: first.id, to: ["all"] });
  for (let n = 1; n <= 200; n++) {
    const { id } = await post(`Other ${n}`);
    await post("A reply", { reply_to: id, to: ["all"] });
  }
  expect(await shown(ref)).toEqual([[`The one about ${ref}`, ["writer"]]]);
});

test("what a task is blocked on is shown, and of what the reader may not read how much there is", async () => {
  const ref = await open("Held up");
  const at = server.world.clock.now.toISOString();
  const member = { kind: "agent", role: "member", owner: "ana" };
  const ask = {
    ...{ ask_id: "msg_00000000000000000000000000", ask_seq: 12, since: at },
    ...{ from: { ...member, name: "rex" }, to: { ...member, name: "writer" } },
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
