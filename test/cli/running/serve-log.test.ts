import { expect, test } from "bun:test";
import { newMachineOfProcesses } from "../../support/commands/machine.ts";
import { serveTeam } from "../../support/commands/team-server.ts";

/** What a team's server with these flags logs of one request with a wrong key, from its start to its stop. */
async function logOf(...words: string[]): Promise<string[]> {
  const server = await serveTeam(newMachineOfProcesses(), words);
  await server.as("abh_this-is-no-key").send("getMe");
  const { code, stderr } = await server.stop();
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("this-is-no-key")]);
  return stderr.split("\n").slice(0, -1);
}

test("a team's server logs lines of JSON from its start to its stop", async () => {
  const lines = (await logOf()).map((line) => JSON.parse(line));
  const forwarded = { operation: "getMe", address: "127.0.0.1" };
  expect(lines).toMatchObject([
    { level: "info", event: "started", url: "https://board.example.org" },
    { event: "credential.refused", reason: "unauthorized", ...forwarded },
    { event: "request", status: 401, method: "GET", ...forwarded },
    { event: "stopped" },
  ]);
  for (const { at } of lines) expect(Date.parse(at)).toBeGreaterThan(0);
});

test("--log text writes words, and --log-level leaves out what matters less", async () => {
  const lines = await logOf("--log", "text");
  expect(lines.map((line) => line.split(" ").slice(1, 3).join(" "))).toEqual([
    "info started",
    "info credential.refused",
    "info request",
    "info stopped",
  ]);
  expect(lines[1]).toContain(" address=127.0.0.1 ");
  expect(await logOf("--log-level", "warn")).toEqual([]);
  expect((await newMachineOfProcesses().run(["serve", "--log", "xml"])).code).toBe(2);
});

test("this machine's own server is quiet unless it is asked for more", async () => {
  for (const [words, logged] of [
    [[], ""],
    [["--log-level", "info"], '"event":"started"'],
  ] as const) {
    const server = newMachineOfProcesses().start(["serve", ...words]);
    await server.saying("Stop with");
    server.kill("SIGTERM");
    const { stderr } = await server.end();
    expect(logged === "" ? stderr : stderr.includes(logged)).toEqual(logged === "" ? "" : true);
  }
});
