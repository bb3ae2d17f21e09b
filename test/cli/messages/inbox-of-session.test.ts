import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";
import { startSession } from "../../support/daemon/session-on-machine.ts";

test("with several seats a message names the seat, and its commands the board, also where the environment chose it", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const session = await startSession(machine, "s-1");
  await session.ok(["resume", "writer"]);
  const ask = () =>
    machine.ok(["say", "Well?", "--me", "--board", "docs", "--to", "@writer", "--expect-reply"]);
  await ask();
  const one = (await session.ok(["inbox"])).stdout;
  expect(one).not.toContain(" seat=");
  expect(one).toMatch(/asked for: .*say --reply \d+ "TEXT"\n/);
  await machine.ok(["pair", "--board", "code", "--name", "coder"]);
  await session.ok(["resume", "coder"]);
  await ask();
  const env = { SERVICE_BOARD: "docs" };
  const several = (await session.ok(["inbox"], { env })).stdout;
  expect(several).toContain('<service-message board="docs" seat="writer" from="@');
  expect(several).toMatch(/asked for: .*say --reply \d+ "TEXT" --board docs\n/);
});

test("agents of one name on boards of one name at two servers are told apart by their ids, in every command that an inbox shows", async () => {
  const [machine, other] = [newMachine(), newMachine("Bea")];
  await machine.ok(["pair", "--board", "docs", "--name", "claude"]);
  await other.ok(["pair", "--board", "docs", "--name", "host"]);
  const { url } = (await other.json(["status"])).server;
  const key = readFileSync(join(other.home, "config/owner-token"), "utf8");
  await machine.ok(["login", url], { stdin: key });
  const session = await startSession(machine, "s-1");
  await session.ok(["resume", "claude"]);
  await session.ok(["join", "--board", "docs", "--name", "claude"], {
    env: { SERVICE_SERVER: url },
  });
  for (const person of [machine, other])
    await person.ok(["say", "Well?", "--me", "--to", "@claude", "--expect-reply"]);
  const { stdout } = await session.ok(["inbox"]);
  const shown = [...stdout.matchAll(/ say --reply (\d+) "TEXT" (--as mem_\w+ --board docs)\n/g)];
  expect(shown).toHaveLength(2);
  for (const [, seq, flags] of shown)
    await session.ok(["say", "--reply", seq!, "Yes.", ...flags!.split(" ")]);
  for (const person of [machine, other])
    expect((await person.ok(["read", "--me", "--board", "docs"])).stdout).toContain("Yes.");
  const { stderr } = await session.run(["say", "Where?"]);
  expect(stderr).toContain(`docs at local`);
  expect(stderr).toContain(`docs at ${url}`);
  await session.ok(["say", "Here.", ...stderr.match(/--as mem_\w+/)![0].split(" ")]);
}, 20_000);
