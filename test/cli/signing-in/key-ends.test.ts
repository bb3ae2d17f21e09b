import { expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";

const day = 86_400;

test("keys says of each key when it ends, and of which that is by its last use", async () => {
  const { world, url } = await clockedServer();
  const bea = await world.person("bea");
  const machine = newMachine();
  await machine.ok(["login", url], { stdin: bea.token });
  for (const [name, ttl_seconds] of [
    ["short", day],
    ["long", 30 * day],
    ["gone", 30 * day],
  ] as const)
    await bea.call("createKey", { body: { name, ttl_seconds } });
  await machine.ok(["keys", "revoke", "gone", "--server", url, "--yes"]);
  world.pass(2 * day);
  const { stdout } = await machine.ok(["keys", "--server", url]);
  const lineOf = (name: string) => stdout.split("\n").find((line) => line.includes(` ${name} `))!;
  expect(lineOf("machine")).toMatch(
    / working .* ends 90 days after its last use, now 2026-04-0\d /,
  );
  expect(lineOf("short")).toMatch(/ expired .* ended 2026-01-0\d /);
  expect(lineOf("long")).toMatch(/ working .* ends 2026-01-3\d /);
  expect(lineOf("gone")).toMatch(/ revoked .* ended (2025-12-31|2026-01-01) /);

  await machine.ok(["login", url], { stdin: world.admin.token });
  expect((await machine.ok(["keys", "--server", url])).stdout).toContain(" does not end ");
});
