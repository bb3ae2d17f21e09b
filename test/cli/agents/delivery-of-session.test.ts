import { expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";
import { startSession } from "../../support/daemon/session-on-machine.ts";
import { freePort } from "../../support/servers/free-port.ts";

test("the daemon learns a mode from the command that sets it, and keeps it for when the server is away", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const session = await startSession(machine, "s-1");
  await session.ok(["resume", "writer"]);
  const set = await machine.json(["delivery", "off", "--as", "writer"]);
  const { bindings } = (await session.ask({ op: "status" })).status!;
  expect(bindings).toMatchObject([{ mode: "off", revision: set.revision }]);
  const shown = await session.json(["delivery"]);
  expect(shown).toEqual({ ...set, changed: false });
  // Nothing listens there, and a command in such a sandbox starts no server.
  const away = {
    env: {
      SERVICE_LOCAL_ADDR: `127.0.0.1:${freePort()}`,
      CODEX_SANDBOX_NETWORK_DISABLED: "1",
      NO_SOCKETS: "1",
    },
  };
  expect(await session.json(["delivery"], away)).toEqual({ ...shown, unconfirmed: true });
  expect((await session.ok(["delivery"], away)).stdout).toContain("kept on this machine");
  expect(await session.json(["status"], away)).toMatchObject({
    delivery: "off",
    delivery_unconfirmed: true,
  });
  expect(await session.refusal(["delivery", "all"])).toBe("human_command_in_session");
});
