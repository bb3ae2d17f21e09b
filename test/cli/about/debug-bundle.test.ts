import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";

test("a bundle has findings, versions, figures and logs, and nothing of what anybody wrote or is called", async () => {
  const machine = newMachine();
  const { world, url } = await clockedServer();
  await machine.ok(["login", url], { stdin: world.admin.token });
  await machine.ok(["pair", "--board", "harvest", "--name", "quill", "--server", url]);
  await machine.ok(["say", "The secret plan.", "--as", "quill"]);
  const log = join(machine.home, "state", "daemon.log");
  mkdirSync(dirname(log), { recursive: true });
  appendFileSync(log, `quill on harvest: ${world.admin.token} at ${url}\n`);
  const { path, files } = await machine.json(["debug-bundle", "-o", machine.home, "--server", url]);
  expect(files).toEqual(["about.json", "doctor.json", "numbers.json", "server.log", "daemon.log"]);
  expect(statSync(path).mode & 0o077).toBe(0);
  const text = readFileSync(path, "utf8");
  for (const told of ["The secret plan", "quill", "harvest", world.admin.token, new URL(url).host])
    expect([told, text.includes(told)]).toEqual([told, false]);
  expect(text).toContain("agent-1 on board-1: abh_… at http://server-1");
  expect(text).toContain('"name": "posts_total"');
  expect(text).toContain('"local_server"');
  const listed = Bun.spawnSync(["tar", "-tf", path]).stdout.toString().trim().split("\n");
  expect(listed).toEqual(files);
  expect((await machine.run(["debug-bundle", "-o", machine.home])).code).toBe(2);
  await machine.ok(["debug-bundle", "-o", machine.home, "--force", "--server", url]);
});

test("without a server that answers, the bundle says why there are no figures", async () => {
  const machine = newMachine();
  const { path } = await machine.json(["debug-bundle", "-o", machine.home]);
  const text = readFileSync(path, "utf8");
  expect(text).toContain('"code":');
  expect(text).not.toContain("posts_total");
  expect(await machine.refusal(["debug-bundle", "--force"], { env: { CLAUDECODE: "1" } })).toBe(
    "human_command_in_session",
  );
});
