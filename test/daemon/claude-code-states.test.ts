import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processAt } from "../../src/client/files/process.ts";
import { watchClaudeCode } from "../../src/daemon/harnesses/claude-code-states.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const procStart = processAt(process.pid)!.started;

/** Sessions of a folder of settings that are watched, and what was told of them. */
function watched() {
  const usual = temporaryFolder();
  const clock = movableClock();
  const { follow, start } = watchClaudeCode(usual, clock);
  const idle: string[] = [];
  const stop = start({
    is: (session, state) => void idle.push(`${session} ${state}`),
    answered: () => {},
  });
  const write = (name: string, text: string, folder = usual) => {
    mkdirSync(join(folder, "sessions"), { recursive: true });
    writeFileSync(join(folder, "sessions", name), text);
  };
  const state = (sessionId: string, more: object = {}) =>
    JSON.stringify({
      pid: process.pid,
      procStart,
      sessionId,
      status: "idle",
      statusUpdatedAt: clock.now(),
      ...more,
    });
  return { usual, clock, follow, idle, stop, write, state };
}

test("a session that is idle for ten seconds is told of once, and again after its next turn", () => {
  const { clock, follow, idle, stop, write, state } = watched();
  follow("one", null);
  const elsewhere = temporaryFolder();
  follow("two", elsewhere);
  write("1.json", state("one"));
  write("2.json", state("two"), elsewhere);
  clock.pass(5_000);
  expect(idle).toEqual([]);
  clock.pass(5_000);
  expect(idle).toEqual(["one idle", "two idle"]);
  clock.pass(5_000);
  expect(idle.splice(0)).toHaveLength(2);
  write("1.json", state("one", { status: "busy" }));
  clock.pass(20_000);
  expect(idle).toEqual([]);
  write("1.json", state("one"));
  clock.pass(5_000);
  clock.pass(5_000);
  expect(idle).toEqual(["one idle"]);
  stop();
  expect(clock.pauses()).toEqual([]);
});

test("files of other sessions, of dead processes and of another form say nothing", () => {
  const { clock, follow, idle, stop, write, state } = watched();
  follow("one", null);
  clock.pass(5_000);
  write("1.json", state("other"));
  write("2.json", state("one", { procStart: "1" }));
  write("3.json", state("one").slice(0, 40));
  write("4.json", state("one", { status: 1 }));
  write("5.json", state("one", { statusUpdatedAt: "now" }));
  write("6.json", "null");
  write("notes.txt", state("one"));
  for (let looks = 0; looks < 4; looks++) clock.pass(5_000);
  expect(idle).toEqual([]);
  write("7.json", state("one"));
  for (let looks = 0; looks < 3; looks++) clock.pass(5_000);
  expect(idle).toEqual(["one idle"]);
  stop();
});
