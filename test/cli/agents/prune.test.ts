import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { newMachine } from "../../support/commands/machine.ts";

// Ana's machine, at a server whose clock is moved.
const ana = newMachine("Ana");
const day = 86_400;
const server = await clockedServer();

await ana.ok(["login", server.url], { stdin: server.world.admin.token });
await ana.ok(["board", "new", "docs"]);

const names = (agents: { name: string }[]) => agents.map(({ name }) => name);
const seatsHere = () =>
  JSON.parse(readFileSync(join(ana.home, "config/credentials.json"), "utf8")).map(
    ({ name }: { name: string }) => name,
  );

/** An agent of Ana's on this machine that had a session now. */
async function agent(name: string) {
  const { join_line: line } = await ana.json(["invite", "--board", "docs"]);
  await ana.ok(["join", line, "--name", name]);
  await report(name);
}
const report = (name: string) => ana.ok(["api", "setPresence", "presence=idle", "--as", name]);

test("an empty list asks nothing", async () => {
  const { stdout } = await ana.ok(["agent", "prune"]);
  expect(stdout).toBe(`No agent at ${server.url} has been away for that long.\n`);
  expect(await ana.json(["agent", "prune", "--disconnected-for", "2w"])).toEqual({
    server: { name: server.url, url: server.url },
    disconnected_for: 14 * day,
    all: false,
    dry_run: false,
    agents: [],
    kept: [],
  });
});

test("agents that were away for long are listed, asked about and removed", async () => {
  await agent("old");
  await agent("gone");
  server.world.pass(8 * day);
  await agent("new");
  const listed = await ana.json(["agent", "prune", "--dry-run"]);
  expect([names(listed.agents), listed.dry_run, listed.disconnected_for]).toEqual([
    ["old", "gone"],
    true,
    7 * day,
  ]);
  const shown = await ana.ok(["agent", "prune", "--dry-run"]);
  expect(shown.stdout).toMatch(
    /^2 agents at \S+ would be removed:\n {2}old +of @ana +on docs +away since .+\n {2}gone .+\n$/,
  );
  const longer = ["agent", "prune", "--disconnected-for", "9d"];
  expect((await ana.json(longer)).agents).toEqual([]);

  const question = `Remove 2 agents at ${server.url} for good?`;
  const refused = (await ana.run(["agent", "prune", "--json"])).json().error;
  expect(refused).toMatchObject({
    code: "confirmation_required",
    message: expect.stringMatching(/^ {2}old .+\n {2}gone .+\nRemove 2 agents/),
    hint: "To go on: `service agent prune --json --yes`",
  });
  const kept = await atTerminal(ana, ["agent", "prune"], question, "");
  expect(kept.screen).toContain("Nothing was changed.");
  expect(seatsHere()).toEqual(["old", "gone", "new"]);

  await report("gone");
  const pruned = await ana.json(["agent", "prune", "--yes"]);
  expect([names(pruned.agents), pruned.kept, pruned.dry_run]).toEqual([["old"], [], false]);
  expect(seatsHere()).toEqual(["gone", "new"]);
  expect(await ana.refusal(["whoami", "--as", "old"])).toBe("agent_not_selected");
});

test("an agent that comes back while its person is asked is kept", async () => {
  server.world.pass(8 * day);
  let questions = 0;
  server.between = async (request, answer) => {
    const answered = await answer();
    if (request.url.endsWith("/v1/agents/prune") && questions++ === 0) {
      server.between = (_, next) => next();
      await report("new");
    }
    return answered;
  };
  const { stdout } = await ana.ok(["agent", "prune", "--yes"]);
  expect(stdout).toBe(
    `Removed 1 agent at ${server.url}. 1 agent was kept: they came back or ended meanwhile.\n`,
  );
  expect(seatsHere()).toEqual(["new"]);
});

test("a long list is cut short in the question and whole in a dry run", async () => {
  const world = server.world;
  for (let i = 1; i <= 25; i++) {
    const seat = await world.seat(world.admin, "docs", { name: `n${i}` });
    await seat.call("setPresence", { body: { presence: "idle" } });
  }
  world.pass(8 * day);
  await report("new");
  const { message } = (await ana.run(["agent", "prune", "--json"])).json().error;
  expect(message.split("\n")).toHaveLength(22);
  expect(message).toContain("\nand 5 more\nRemove 25 agents");
  const { stdout } = await ana.ok(["agent", "prune", "--dry-run"]);
  expect(stdout.trimEnd().split("\n")).toHaveLength(26);
});

test("everybody's agents are an admin's to prune", async () => {
  const bo = await server.world.person("bo");
  const machine = newMachine("Bo");
  await machine.ok(["login", server.url], { stdin: bo.token });
  expect(await machine.refusal(["agent", "prune", "--all"])).toBe("server_admin_required");
  await machine.ok(["board", "new", "hers", "--private"]);
  const seat = await server.world.seat(bo, "hers", { name: "hidden" });
  await seat.call("setPresence", { body: { presence: "idle" } });
  server.world.pass(8 * day);
  await report("new");
  const { stdout } = await ana.ok(["agent", "prune", "--all", "--dry-run"]);
  expect(stdout).toMatch(new RegExp(`^  ${seat.id} +of @bo +on brd_\\w{26} +away since `, "m"));
  expect(stdout).not.toContain("hidden");
});

test("a time that is none is refused", async () => {
  for (const time of ["30m", "soon", "0h", "101y"])
    expect((await ana.run(["agent", "prune", "--disconnected-for", time])).code).toBe(2);
  const env = { CLAUDECODE: "1" };
  expect(await ana.refusal(["agent", "prune", "--yes"], { env })).toBe("human_command_in_session");
});
