import { beforeAll, describe, expect, test } from "bun:test";
import { badGateway, clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { newMachine } from "../../support/commands/machine.ts";

// Ana's machine, at a server whose clock stands still.
const ana = newMachine("Ana");
const server = await clockedServer();

await ana.ok(["login", server.url], { stdin: server.world.admin.token });

/** Gives an agent a seat on a board. */
async function agent(name: string, board: string) {
  const { join_line: line } = await ana.json(["invite", "--board", board]);
  await ana.ok(["join", line, "--name", name]);
}
const locate = (name: string, ...fields: string[]) =>
  ana.ok(["api", "setAgentLocation", ...fields, "--as", name]);

test("a person without agents is shown how to get one", async () => {
  const none = { server: { name: server.url, url: server.url }, agents: [] };
  expect(await ana.json(["agents"])).toEqual(none);
  const { stdout } = await ana.ok(["agents"]);
  expect(stdout).toContain(`No agents of yours at ${server.url}. Give one a seat: `);
});

test("agents of all boards are listed with what they do and where their last sessions were", async () => {
  for (const board of ["docs", "lab"]) await ana.ok(["board", "new", board]);
  await agent("claude", "docs");
  await agent("rex", "lab");
  await locate("rex", "harness=codex", "session_id=7f3a", "folder=/home/ana/a\nb");
  await ana.ok(["working", "Reading", "--as", "rex"]);
  const env = { TZ: "UTC" };
  const { stdout } = await ana.ok(["agents"], { env });
  expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    [`Agents at ${server.url}:`],
    ["", "claude", "docs", "disconnected"],
    [
      "",
      "rex",
      "lab",
      "disconnected",
      "codex 7f3a",
      "laptop:/home/ana/a b",
      "2026-01-01 00:00",
      "working: Reading",
    ],
    [""],
  ]);
  const { agents } = await ana.json(["agents"]);
  expect(agents).toMatchObject([
    { name: "claude", board: "docs", state: "disconnected" },
    { name: "rex", board: "lab", location: { session_id: "7f3a", machine: "laptop" } },
  ]);
  expect(agents[0]).not.toContainKey("location");
});

test("--board leaves the others out, and says so when none is left", async () => {
  const { agents } = await ana.json(["agents", "--board", "docs"]);
  expect(agents.map(({ name }: { name: string }) => name)).toEqual(["claude"]);
  const { stdout } = await ana.ok(["agents", "--board", "nowhere"]);
  expect(stdout).toStartWith(`No agents of yours on nowhere at ${server.url}.`);
});

test("an agent lists its person's, also in a session, where one has to be chosen", async () => {
  const session = { env: { CLAUDECODE: "1" } };
  const { agents } = await ana.json(["agents", "--as", "claude"], session);
  expect(agents.map(({ name }: { name: string }) => name)).toEqual(["claude", "rex"]);
  expect(agents[1].location).toMatchObject({ harness: "codex" });
  expect(await ana.refusal(["agents"], session)).toBe("agent_not_selected");
  const both = await ana.run(["agents", "--as", "claude", "--server", server.url]);
  expect(both.code).toBe(2);
});

describe("on several servers", async () => {
  const other = await clockedServer();
  beforeAll(async () => {
    await ana.ok(["login", other.url], { stdin: other.world.admin.token });
    await ana.ok(["board", "new", "far", "--server", other.url]);
    const { join_line: line } = await ana.json(["invite", "--board", "far", "--server", other.url]);
    await ana.ok(["join", line, "--name", "scout"]);
  });

  const namesOf = (agents: { name: string }[]) => agents.map(({ name }) => name);

  test("a person's agents on all of them are listed, the default's first", async () => {
    const listed = await ana.json(["agents"]);
    expect([listed.server.url, namesOf(listed.agents)]).toEqual([server.url, ["claude", "rex"]]);
    const groups = listed.servers.map((each: any) => [each.server.url, namesOf(each.agents)]);
    expect(groups).toEqual([
      [server.url, ["claude", "rex"]],
      [other.url, ["scout"]],
    ]);
    const { stdout } = await ana.ok(["agents", "--board", "far"]);
    expect(stdout).toStartWith(`Agents on far at ${other.url}:\n  scout`);
    expect((await ana.ok(["agents", "--board", "none"])).stdout).toContain(
      `No agents of yours on none at ${server.url}. `,
    );
  });

  test("a chosen server is listed alone, unless all are asked for", async () => {
    const alone = await ana.json(["agents", "--server", other.url]);
    expect(alone).not.toContainKey("servers");
    expect(namesOf(alone.agents)).toEqual(["scout"]);
    const env = { SERVICE_SERVER: other.url };
    expect(await ana.json(["agents"], { env })).toEqual(alone);
    const all = await ana.json(["agents", "--all-servers"], { env });
    expect(all.servers.map((each: any) => each.server.url)).toEqual([other.url, server.url]);
    for (const words of [
      ["--server", other.url],
      ["--as", "claude"],
    ])
      expect((await ana.run(["agents", "--all-servers", ...words])).code).toBe(2);
  });

  test("one that cannot be read is named as such, and the others are still listed", async () => {
    other.between = async () => badGateway();
    const { agents, servers } = await ana.json(["agents"]);
    expect(namesOf(agents)).toEqual(["claude", "rex"]);
    expect(servers[1]).toMatchObject({ agents: [], error: { code: "server_unreachable" } });
    expect((await ana.ok(["agents"])).stdout).toContain(`\n\n${other.url}: `);
    other.between = (_, answer) => answer();
  });
});
