import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { until } from "../../support/wait-until.ts";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const server = await clockedServer();
/** Ana's agent on demo, without the program. */
let writer: Client;

const demo = { params: { board: "demo" } };

beforeAll(async () => {
  const { world } = server;
  // The program shows how long ago something was, by the clock of its machine.
  world.clock.now = new Date();
  await ok(["login", server.url], { stdin: world.admin.token });
  await world.admin.call("createBoard", { body: { name: "demo" } });
  writer = await world.seat(world.admin, "demo", { name: "writer" });
});
const ask = (body: string, more = {}) =>
  writer.call("postMessage", {
    ...demo,
    body: { body, to: ["@ana"], ask: { options: ["MIT", "Apache 2.0"] }, ...more },
  });
const list = () => json(["attention", "--server", server.url]);
const clear = async () => {
  for (const { ref } of (await list()).items)
    await server.world.admin.call("postMessage", {
      ...demo,
      body: { body: "So.", reply_to: ref.message_id },
    });
};

describe("attention", () => {
  test("says so when nothing needs the person, at once and after a wait", async () => {
    const { stdout } = await ok(["attention"]);
    expect(stdout).toBe(`Nothing needs you at ${server.url}.\n`);
    const waited = await run(["attention", "--wait", "1"]);
    expect([waited.code, waited.stdout]).toEqual([
      0,
      `Nothing needs you at ${server.url} within 1 second.\n`,
    ]);
    expect(await json(["attention", "--wait", "1"])).toMatchObject({ items: [], timed_out: true });
  });

  test("shows each item with what was written, the options, and the command that answers it", async () => {
    const { seq, id } = await ask("Which\nlicence?");
    const { stdout } = await ok(["attention"]);
    expect(stdout).toContain(`1 thing needs you at ${server.url}:`);
    expect(stdout).toMatch(/\n@writer asks you, and waits · demo · \d+ \w+ ago\n/);
    expect(stdout).toContain("\n    Which\n    licence?\n  1. MIT\n  2. Apache 2.0\n");
    expect(stdout).toContain(` ask --answer ${seq} --option K --board demo`);
    expect(stdout).toContain(`  ID ask.${id}\n`);
    await ok(["ask", "--answer", `${seq}`, "--option", "1", "--board", "demo"]);
    expect((await list()).items).toEqual([]);
  });

  test("waits for the first item", async () => {
    const waiting = json(["attention", "--wait", "60"]);
    await until(() => server.world.hub.waiting === 1, "the command waits");
    const { id } = await ask("Now?");
    expect((await waiting).items).toMatchObject([{ id: `ask.${id}` }]);
    await clear();
  });

  test("puts an item aside for a while and brings it back, or takes it off the list", async () => {
    const { world } = server;
    const { id } = await ask("Later?");
    const item = `ask.${id}`;
    expect((await ok(["attention", "snooze", item, "--for", "2h"])).stdout).toMatch(
      /^Hidden until .*: @writer asks you/,
    );
    expect((await ok(["attention"])).stdout).toMatch(
      /^Nothing needs you at .*\.\nA snoozed item comes back at /,
    );
    expect((await ok(["attention", "snooze", item, "--off"])).stdout).toStartWith(
      "It is on your list again: ",
    );
    await ok(["attention", "snooze", item, "--for", "30d"]);
    await ok(["attention", "snooze", item, "--off"]);
    expect(await refusal(["attention", "dismiss", item])).toBe("not_dismissable");
    await clear();

    const bo = await world.person("bo");
    await world.admin.call("addPerson", { ...demo, body: { handle: "bo" } });
    const { id: mention } = await bo.call("postMessage", { ...demo, body: { body: "Hi @ana" } });
    await ok(["attention", "dismiss", `mention.${mention}`]);
    expect((await list()).items).toEqual([]);
    expect(await refusal(["attention", "dismiss", "nothing"])).toBe("attention_not_found");
  });

  test.each([
    ["attention snooze ask.x", "neither a time nor --off"],
    ["attention snooze ask.x --for 2h --off", "both"],
    ["attention snooze ask.x --for 31d", "more than 30 days"],
    ["attention --wait 0", "a wait of nothing"],
  ])("refuses %s: %s", async (line) => {
    const { code } = await run(line.split(" "));
    expect(code).toBe(2);
  });

  test.each([["attention"], ["attention snooze x --for 2h"], ["attention dismiss x"]])(
    "is a person's command: %s is refused in a session",
    async (line) => {
      const env = { CLAUDECODE: "1" };
      expect(await refusal(line.split(" "), { env })).toBe("human_command_in_session");
    },
  );

  test("shows no text of a member as an option, a command or an id", async () => {
    await ask("Which?\n1. Keep it\nservice board delete demo\nID ask.msg_1");
    const { stdout } = await ok(["attention"]);
    for (const line of ["1. Keep it", "service board delete demo", "ID ask.msg_1"])
      expect(stdout).toContain(`\n    ${line}\n`);
    expect(stdout).toMatch(/\n {2}1\. MIT\n {2}2\. Apache 2\.0\n {2}\S.*\n {2}ID ask\./);
    await clear();
  });

  test("cleans what members wrote of terminal sequences", async () => {
    await ask("\u001b[31mred\u0007");
    expect((await ok(["attention"])).stdout).not.toMatch(/[\u001b\u0007]/);
    await clear();
  });
});

describe("status", () => {
  test("shows the counts to a person, and nothing of them to an agent or in a session", async () => {
    await ask("Which?");
    expect((await ok(["status"])).stdout).toMatch(/ Needs you +0 now, 1 later: /);
    expect((await json(["status"])).attention).toEqual({ now: 0, later: 1 });
    const env = { CLAUDECODE: "1" };
    for (const words of [["status"], ["status", "--board", "demo"]])
      expect(await json(words, { env })).not.toHaveProperty("attention");
    await ok(["pair", "--board", "own", "--name", "rex", "--server", server.url]);
    expect(await json(["status", "--as", "rex"])).not.toHaveProperty("attention");
    await clear();
    expect((await ok(["status"])).stdout).toMatch(/ Needs you +nothing\n/);
  });
});

test("every command that an item suggests can be typed as it is, once its capitals are filled in", async () => {
  const { world } = server;
  const cleo = await world.person("cleo");
  await world.admin.call("addPerson", { ...demo, body: { handle: "cleo" } });
  const scout = await world.seat(world.admin, "demo", { name: "scout" });
  const say = (by: Client, body: string, to: string[], more = {}) =>
    by.call("postMessage", { ...demo, body: { body, to, ...more } });
  await scout.call("createTask", { ...demo, body: { title: "Write it", start: true } });
  await say(world.admin, "Well?", ["@scout"], { expects_reply: true });
  world.pass(1800);
  await ask("Which?");
  await say(writer, "Ready?", ["@ana"], { expects_reply: true });
  await say(cleo, "Hi @ana", ["@writer"]);
  await writer.call("setPresence", { body: { presence: "waiting" } });
  for (let n = 0; n < 22; n++)
    await say(n % 2 ? writer : scout, "thanks", [n % 2 ? "@scout" : "@writer"]);
  const { items } = await list();
  const kinds = items.map(({ kind }: { kind: string }) => kind);
  expect(kinds.toSorted()).toEqual([
    "agent_late",
    "agent_waiting",
    "agents_in_loop",
    "ask",
    "mention",
    "not_delivered",
    "reply_wanted",
  ]);
  world.pass(1800);
  const later = (await list()).items as typeof items;
  expect(later.map(({ kind }: { kind: string }) => kind)).toContain("agent_silent");
  const newest = { newest: true, limit: 1 } as const;
  let said = 0;
  const commands = [...items, ...later].flatMap(({ actions }) => actions) as { command: string }[];
  for (const { command } of commands) {
    const filled = command.replace("TEXT", "Yes").replace("K ", "1 ");
    const [program, ...rest] = [...filled.matchAll(wordForm)].map(([word]) =>
      word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one, other) => String(one ?? other)),
    );
    expect(program).toBe("service");
    // One that follows a board does not end.
    if (rest[0] === "watch") continue;
    await ok(rest);
    if (rest[0] !== "say") continue;
    const { messages } = await world.admin.call("listMessages", { ...demo, query: newest });
    expect(messages, command).toMatchObject([{ body: "Yes", sender: "self" }]);
    said++;
  }
  expect(said).toBeGreaterThan(3);
});
/** A word of a shell, of which parts may be in quotes. */
const wordForm = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;
