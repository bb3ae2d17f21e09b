import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const database = join(machine.home, "data/service.db");
const intact = join(machine.home, "intact.db");
const heads = join(machine.home, "state/audit-heads.json");
const audit = ["audit", "verify", "--board", "demo"];
let head: number;

beforeAll(async () => {
  const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
  await ok(["join", code.line, "--name", "rex"]);
  for (let i = 1; i <= 5; i++) await ok(["say", `Message ${i}`, "--as", "writer"]);
  await ok(["say", "For you", "--to", "@ada-l", "--as", "writer"]);
  head = (await json(["api", "getBoard", "board=demo"])).head_seq;
  await ok(["down"]);
  copyFileSync(database, intact);
});
afterAll(() => machine.end());

/** Puts the log back as it was, forgets what was verified, and leaves the server down. */
beforeEach(async () => {
  await ok(["down"]);
  restore();
  rmSync(heads, { force: true });
});

function restore(): void {
  for (const part of ["-wal", "-shm"]) rmSync(`${database}${part}`, { force: true });
  copyFileSync(intact, database);
}

/** Changes the stored log while the server is down. `seq` is an event's number on the only board. */
function tamper(sql: string, seq: number): void {
  const db = new Database(database);
  const { place } = db.query("SELECT min(place) + ? - 1 AS place FROM event").get(seq) as {
    place: number;
  };
  expect(db.query(sql).run(place).changes).toBeGreaterThan(0);
  db.close();
}

/** The JSON of a check that found something, which ends with exit code 3. */
async function found(): Promise<any> {
  const ran = await run([...audit, "--json"]);
  expect([ran.code, ran.stderr]).toEqual([3, expect.any(String)]);
  return ran.json();
}

test("a log that holds", async () => {
  const first = await json(audit);
  expect(first).toEqual({
    board: "demo",
    ok: true,
    events_checked: head,
    data_withheld: 0,
    head: { seq: head, hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    first_bad: null,
    pinned_head: null,
  });
  await ok(["say", "More", "--as", "writer"]);
  const second = await json(audit);
  expect(second.pinned_head).toEqual({ ...first.head, matches: true });
  expect(second.head.seq).toBe(head + 1);
  expect(statSync(heads).mode & 0o077).toBe(0);
  const { stdout } = await ok(["audit", "verify"]);
  expect(stdout).toContain(`${head + 1} events\nThe log holds: `);
  expect(stdout).toContain(`It goes on from #${head + 1}, which this machine verified before.`);
});

test("an agent checks what it may not read, in a session and a subagent too", async () => {
  await ok(["board", "policy", "recommended", "--board", "demo"]);
  const env = { CLAUDECODE: "1", SERVICE_SUBAGENT: "1" };
  const checked = await json(["audit", "verify", "--as", "rex"], { env });
  expect(checked).toMatchObject({ ok: true, events_checked: head + 1, data_withheld: 1 });
  expect(await json(audit, { env })).toMatchObject({ ok: true, data_withheld: 0 });
});

test("a log of several pages", async () => {
  await ok(["up"]);
  const { url } = (await json(["status"])).server;
  const authorization = `Bearer ${readFileSync(join(machine.home, "config/owner-token"), "utf8").trim()}`;
  const body = JSON.stringify({ body: "again" });
  const headers = { authorization, "content-type": "application/json" };
  const post = () => fetch(`${url}/v1/boards/demo/messages`, { method: "POST", headers, body });
  await Promise.all(Array.from({ length: 400 - head }, post));
  expect(await json(audit)).toMatchObject({ ok: true, events_checked: 400, head: { seq: 400 } });
  await ok(["say", "One more", "--as", "rex"]);
  expect(await json(audit)).toMatchObject({ ok: true, events_checked: 401 });
});

test.each([
  [
    "a changed text",
    "UPDATE event SET data = replace(data, 'Message', 'Massage') WHERE place = ?",
    "data_hash_mismatch",
  ],
  [
    "a changed text with its hash",
    "UPDATE event SET data = '{}', data_hash = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' WHERE place = ?",
    "hash_mismatch",
  ],
  [
    "another sender",
    "UPDATE event SET actor = replace(actor, 'writer', 'reader') WHERE place = ?",
    "hash_mismatch",
  ],
  [
    "another time",
    "UPDATE event SET at = '2020-01-01T00:00:00.000Z' WHERE place = ?",
    "hash_mismatch",
  ],
  ["another hash", "UPDATE event SET hash = data_hash WHERE place = ?", "hash_mismatch"],
  ["an event taken out", "DELETE FROM event WHERE place = ?", "seq_gap"],
])("%s is found where it is", async (_, sql, reason) => {
  tamper(sql, 6);
  const bad = await found();
  expect(bad).toMatchObject({
    ok: false,
    events_checked: 5,
    head: { seq: 5 },
    first_bad: { seq: 6, reason },
    pinned_head: null,
  });
  const { code, stdout } = await run(audit);
  expect(code).toBe(3);
  expect(stdout).toContain(`The log does not hold at #6: `);
  expect(stdout).toContain(`(${reason}).`);
});

test.each([
  ["content that cannot be read", "UPDATE event SET data = '{oops' WHERE place = ?", 6],
  ["content that is no object", "UPDATE event SET data = 'null' WHERE place = ?", 6],
  ["an actor that cannot be read", "UPDATE event SET actor = 'nope' WHERE place = ?", 6],
  ["an actor that is nobody", "UPDATE event SET actor = 'null' WHERE place = ?", 6],
  ["the last messages taken out", "DELETE FROM event WHERE place >= ?", 8],
  ["every event taken out", "DELETE FROM event WHERE place >= ?", 1],
])("%s: the damage is found where it is, and is no fault of the server", async (_, sql, seq) => {
  tamper(sql, seq);
  const { first_bad, ...bad } = await found();
  const reason = sql.startsWith("DELETE")
    ? "seq_gap"
    : sql.includes("data")
      ? "data_hash_mismatch"
      : "hash_mismatch";
  expect([bad.events_checked, first_bad]).toEqual([seq - 1, { seq, reason }]);
  const words = ["api", "listEvents", "board=demo", `after=${seq - 1}`];
  const { stderr } = await run(words);
  expect(stderr).toStartWith(
    `Error (record_damaged): The record of board demo is damaged at #${seq}`,
  );
  expect(stderr).toContain("backup");
  if (seq > 1)
    expect(await json(["api", "listEvents", "board=demo"])).toMatchObject({ next_after: seq - 1 });
  // Nothing is added to a log that has lost its beginning.
  else expect(await refusal(["say", "More", "--as", "writer"])).toBe("internal");
});

test("a history written anew is found by the head that was verified", async () => {
  await ok(["say", "The truth", "--as", "writer"]);
  const { head: verified } = await json(audit);
  await ok(["down"]);
  restore();
  await ok(["say", "Something else", "--as", "writer"]);
  const rewritten = {
    ok: false,
    events_checked: head,
    first_bad: { seq: head + 1, reason: "history_rewritten" },
    pinned_head: { ...verified, matches: false },
  };
  expect(await found()).toMatchObject(rewritten);
  await ok(["say", "And more", "--as", "writer"]);
  expect(await found()).toMatchObject(rewritten);
});

test("a log put back to an earlier state is found too", async () => {
  await ok(["say", "The truth", "--as", "writer"]);
  await ok(audit);
  await ok(["down"]);
  restore();
  expect(await found()).toMatchObject({
    events_checked: head,
    first_bad: { seq: head + 1, reason: "history_rewritten" },
    pinned_head: { matches: false },
  });
});

test("what cannot be checked is an error, not a finding", async () => {
  expect(await machine.refusal(["audit", "verify", "--board", "none"])).toBe("board_not_found");
  expect((await run([...audit, "--as", "rex", "--server", "local"])).code).toBe(2);
});
