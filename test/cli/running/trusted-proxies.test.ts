import { expect, test } from "bun:test";
import { newMachineOfProcesses } from "../../support/commands/machine.ts";
import { serveTeam } from "../../support/commands/team-server.ts";

const machine = newMachineOfProcesses();
const team = ["serve", "--public-url", "https://board.example.org", "--listen", "127.0.0.1:0"];

test.each([
  ["0.0.0.0/0"],
  ["10.0.0.0/8,::/0"],
  ["127.0.0.1"],
  ["localhost/8"],
  ["10.0.0.0/33"],
  ["fd00::/129"],
  ["::ffff:0:0/96"],
  ["10.0.0.0/8,"],
  ["10.0.0.0/-1"],
  ["all"],
])("no server starts that trusts %s", async (networks) => {
  for (const ran of [
    await machine.run([...team, "--trust-proxy", networks]),
    await machine.run(team, { env: { SERVICE_TRUST_PROXY: networks } }),
  ]) {
    expect(ran.stderr).toMatch(/^Error \(invalid_request\): (--trust-proxy|SERVICE_TRUST_PROXY) /);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
  }
});

test("this machine's own server trusts no proxy, and a command that starts it passes none on", async () => {
  const env = { SERVICE_TRUST_PROXY: "10.0.0.0/8" };
  for (const ran of [
    await machine.run(["serve", "--trust-proxy", "10.0.0.0/8"]),
    await machine.run(["serve"], { env }),
  ])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("a team's server")]);
  await machine.ok(["up"], { env });
});

test("a team's server shows the address that a trusted proxy names when it is asked for an approval", async () => {
  const server = await serveTeam(machine, ["--trust-proxy", "127.0.0.1/32, fd00::/8"]);
  const start = new Request(`${server.url}/v1/machine-requests`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.7" },
    body: JSON.stringify({ handle: "admin", label: "vm" }),
  });
  const { code } = (await (await server.handle(start)).json()) as { code: string };
  const admin = server.as(server.key());
  const { requested_from } = await admin.call("lookupMachineRequest", { body: { code } });
  expect(requested_from).toBe("203.0.113.7");
  await server.stop();
});
