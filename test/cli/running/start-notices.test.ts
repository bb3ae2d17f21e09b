import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { newMachineOfProcesses, type Machine } from "../../support/commands/machine.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { serveTeam } from "../../support/commands/team-server.ts";

/** Starts a team's server at another public address, and gives what it said at its start and logged. */
async function startAt(machine: Machine, url: string) {
  const words = ["serve", "--public-url", url, "--data", join(machine.home, "team")];
  const serving = machine.start([...words, "--listen", `127.0.0.1:${freePort()}`]);
  await serving.saying("Stop with");
  serving.kill("SIGTERM");
  const { stdout, stderr } = await serving.end();
  return { stdout, logged: stderr.split("\n").filter((line) => line.includes("url.changed")) };
}

test("another public address on the same data is said and logged, once", async () => {
  const machine = newMachineOfProcesses();
  const first = await serveTeam(machine);
  expect(first.welcome).not.toContain("public address was");
  expect((await first.stop()).stderr).not.toContain("url.changed");

  const moved = await startAt(machine, "https://new.example.org");
  expect(moved.stdout).toContain(
    "Its public address was https://board.example.org until now. There nothing answers any more",
  );
  expect(moved.stdout).toContain("`service login https://new.example.org`");
  expect(moved.logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", before: "https://board.example.org", url: "https://new.example.org" },
  ]);

  const again = await startAt(machine, "https://new.example.org");
  expect([again.stdout.includes("public address was"), again.logged]).toEqual([false, []]);
});

test("a clock that is behind what is stored is said and logged", async () => {
  const machine = newMachineOfProcesses();
  const first = await serveTeam(machine);
  const admin = first.as(first.key());
  // The last board has no such event: every board counts.
  for (const name of ["plans", "docs"]) await admin.call("createBoard", { body: { name } });
  expect(first.welcome).not.toContain("clock");
  expect((await first.stop()).stderr).not.toContain("clock.behind");

  const db = new Database(join(first.data, "service.db"));
  const { place } = db
    .query("SELECT max(place) AS place FROM event WHERE place < 2 * 4294967296")
    .get() as { place: number };
  db.run("UPDATE event SET at = '2999-01-02T03:04:05.678Z' WHERE place = ?", [place]);
  db.close();

  const later = await serveTeam(machine);
  expect(later.welcome).toMatch(
    /This machine's clock says 20\d\d-.*Z, and the newest event is of 2999-01-02T03:04:05.678Z. Set the clock/,
  );
  const lines = (await later.stop()).stderr.split("\n").filter((one) => one.includes("clock."));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", event: "clock.behind", newest: "2999-01-02T03:04:05.678Z" },
  ]);
});
