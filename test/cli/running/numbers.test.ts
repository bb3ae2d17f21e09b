import { expect, test } from "bun:test";
import { refuse } from "../../../src/contract/refusal.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const { world, url } = await clockedServer();
await ok(["login", url], { stdin: world.admin.token });
const there = ["--server", url];

test("status --numbers shows an admin the figures, counted at once", async () => {
  await ok(["pair", "--board", "demo", "--name", "rex", ...there]);
  await ok(["say", "Hello", "--as", "rex"]);
  const { figures, counted_at, requests } = await json(["status", "--numbers", ...there]);
  const value = (of: string) =>
    figures.find(({ name }: { name: string }) => name === of)?.value as number | undefined;
  expect(value("posts_total")).toBe(1);
  expect(counted_at).toBe(world.clock.now.toISOString());
  expect(value("seats_with_unread")).toBe(0);
  expect(requests).toContainEqual(
    expect.objectContaining({ operation: "postMessage", status: "2xx", count: 1 }),
  );
  const { stdout } = await ok(["status", "--numbers", ...there]);
  expect(stdout).toStartWith(`Figures of ${url}, started `);
  expect(stdout).toMatch(/\n {2}posts_total +1 +Messages that were posted\n/);
  expect(stdout).toMatch(/\n {2}memory_bytes +\d+ MB +Resident memory of the process\n/);
  expect(stdout).toMatch(/\n {2}postMessage +2xx +1 +\S+ ms\n/);
});

test("the figures are a person's, and an admin's", async () => {
  const inSession = { env: { CLAUDECODE: "1" } };
  expect(await refusal(["status", "--numbers", ...there], inSession)).toBe(
    "human_command_in_session",
  );
  const ben = newMachine();
  await ben.ok(["login", url], { stdin: (await world.person("ben")).token });
  expect(await ben.refusal(["status", "--numbers", ...there])).toBe("server_admin_required");
});

test("the figures of this machine's own server start none", async () => {
  const own = newMachine();
  const stopped = await own.run(["status", "--numbers"]);
  expect(stopped.stderr).toStartWith("Error (server_not_running): ");
  expect([stopped.code, stopped.stderr]).toEqual([
    1,
    expect.stringMatching(/Start it with `.* up`/),
  ]);
  await own.ok(["boards"]);
  await own.ok(["status", "--numbers"]);
  await own.ok(["down"]);
  expect(await own.refusal(["status", "--numbers"])).toBe("server_not_running");
  expect((await own.json(["status"])).server_running).toBe(false);
});

test("a server that gives no figures is called older, and one that does not answer is named", async () => {
  const older = await clockedServer();
  const own = newMachine();
  const at = older.url;
  await own.ok(["login", at], { stdin: older.world.admin.token });
  older.between = async ({ url: asked }, answer) => {
    const { pathname } = new URL(asked);
    if (pathname !== "/v1/numbers") return answer();
    const refusal = refuse("not_found", { what: `operation GET ${pathname}` });
    return Response.json(refusal.toBody(), { status: 404 });
  };
  const { code, stderr } = await own.run(["status", "--numbers", "--server", at]);
  expect([code, stderr]).toEqual([
    1,
    `Error (server_outdated): The server ${at} is older than this program: it gives no figures.\nHint: Ask whoever runs it to bring it up to date.\n`,
  ]);
  await older.end();
  expect(await own.refusal(["status", "--numbers", "--server", at])).toBe("server_unreachable");
});

test("serve takes a file or a loopback address for the figures, and nothing else", async () => {
  for (const given of ["token", "0.0.0.0:9464", "127.0.0.1", "127.0.0.1:0", "evil.example:80"])
    expect((await run(["serve", "--metrics", given])).code).toBe(2);
});

test("the figures have another address than the server", async () => {
  const team = [
    "serve",
    "--public-url",
    "https://board.example.org",
    "--metrics",
    "127.0.0.1:7400",
  ];
  for (const listen of ["127.0.0.1:7400", "0.0.0.0:7400"]) {
    const { code, stderr } = await run([...team, "--listen", listen]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("The server itself listens on 127.0.0.1:7400."),
    ]);
  }
});
