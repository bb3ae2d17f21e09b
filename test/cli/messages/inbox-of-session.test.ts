import { expect, test } from "bun:test";
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
