import { expect, test } from "bun:test";
import { newMachineOfProcesses } from "../../support/commands/machine.ts";
import { serveTeam } from "../../support/commands/team-server.ts";

test("a team is told at each start that one key, or none, stands between it and a server without an admin", async () => {
  const machine = newMachineOfProcesses();
  const warning = "@admin is the only admin, with one key.";
  const first = await serveTeam(machine);
  expect(first.welcome).toContain(warning);
  expect(first.welcome).toContain(`service recover --data ${first.data}`);
  const admin = first.as(first.key());
  const { invite } = await admin.call("createServerInvite");
  const bea = { invite, handle: "bea", key_name: "laptop" };
  await first.as().call("connect", { body: bea });
  await first.stop();

  // A colleague who is no admin does not count.
  const second = await serveTeam(machine);
  expect(second.welcome).toContain(warning);
  const params = { handle: "bea" };
  await second.as(second.key()).call("setServerRole", { params, body: { server_role: "admin" } });
  await second.stop();

  const third = await serveTeam(machine);
  expect(third.welcome).not.toContain("only admin");
  const owner = third.as(third.key());
  await owner.call("setServerRole", { params, body: { server_role: "member" } });
  const { id } = await owner.call("createKey", { body: { name: "second" } });
  await third.stop();

  const fourth = await serveTeam(machine);
  expect(fourth.welcome).not.toContain("only admin");
  const { current_key_id: own } = await fourth.as(fourth.key()).call("listKeys");
  for (const key of [id, own]) await fourth.as(fourth.key()).call("revokeKey", { params: { key } });
  await fourth.stop();

  const { welcome } = await serveTeam(machine);
  expect(welcome).toContain("No admin has a working key.");
  expect(welcome).toContain(`service recover --data ${fourth.data}`);
});
