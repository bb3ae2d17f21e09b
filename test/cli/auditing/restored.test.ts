import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { saveGeneration } from "../../../src/db/accounts.ts";
import { openDatabase, type Tx } from "../../../src/db/engine/database.ts";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { markFolderRestored, recordRollback } from "../../support/restores.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const data = join(machine.home, "data");
const database = join(data, "service.db");
const backup = join(machine.home, "backup.db");
const headsFile = join(machine.home, "state/audit-heads.json");
const audit = ["audit", "verify", "--board", "demo"];
/** The last event in the backup. */
let head: number;

beforeAll(async () => {
  await ok(["pair", "writer-reviewer", "--board", "demo"]);
  for (let i = 1; i <= 5; i++) await say(`Message ${i}`);
  head = (await json(["api", "getBoard", "board=demo"])).head_seq;
  await ok(["down"]);
  copyFileSync(database, backup);
});
afterAll(() => machine.end());

/** The server is down, its database is the backup, and this machine has verified nothing. */
beforeEach(async () => {
  await putBack();
  rmSync(headsFile, { force: true });
});

/** Stops the server and puts a copy of its database in the place of the database. */
async function putBack(copy = backup): Promise<void> {
  await ok(["down"]);
  for (const part of ["-wal", "-shm"]) rmSync(`${database}${part}`, { force: true });
  copyFileSync(copy, database);
}

/** Stops the server and copies its database. */
async function copied(): Promise<string> {
  await ok(["down"]);
  const copy = join(machine.home, `copy-${copies++}.db`);
  copyFileSync(database, copy);
  return copy;
}
let copies = 0;

/** What a real restore does: the backup in the place of the database, a new generation, and its event in every log. */
async function restore(): Promise<string> {
  await putBack();
  return markFolderRestored(data);
}

/** Changes the database of the stopped server. */
async function tamper(change: (tx: Tx) => unknown): Promise<void> {
  const db = openDatabase(database);
  await db.write((tx) => void change(tx));
  db.close();
}

const say = (text: string) => ok(["say", text, "--as", "writer"]);

/** Posts so many messages and verifies the log after that. Gives its head. */
async function sayAndVerify(messages: number): Promise<{ seq: number; hash: string }> {
  for (let i = 1; i <= messages; i++) await say(`Later ${i}`);
  return (await json(audit)).head;
}

/** The JSON of a check that does not hold. */
async function found(...words: string[]): Promise<any> {
  const ran = await run([...audit, ...words, "--json"]);
  expect([ran.code, ran.stderr]).toEqual([3, ""]);
  return ran.json();
}
const rewrittenAt = (seq: number) => ({
  ok: false,
  first_bad: { seq, reason: "history_rewritten" },
});

/** The check finds a rewritten history, whoever accepts what. */
async function expectRewritten(seq: number): Promise<void> {
  const before = readFileSync(headsFile, "utf8");
  for (const words of [[], ["--accept-restore"]]) {
    const bad = await found(...words);
    expect(bad).toMatchObject(rewrittenAt(seq));
    expect(bad).not.toHaveProperty("restored");
  }
  expect((await run(audit)).stdout).toContain("No restore from a backup explains that");
  expect(readFileSync(headsFile, "utf8")).toBe(before);
}

test("a restored log is told from a changed one, and stays a failed check until somebody accepts it", async () => {
  await ok(audit);
  const verified = await sayAndVerify(3);
  const generation = await restore();
  const restored = {
    ok: false,
    events_checked: head + 1,
    head: { seq: head + 1 },
    first_bad: null,
    pinned_head: { ...verified, matches: false },
    restored: { generation, agreed_seq: head },
  };
  for (let time = 1; time <= 2; time++) expect(await found()).toMatchObject(restored);
  const { code, stdout } = await run(audit);
  expect(code).toBe(3);
  expect(stdout).toContain(
    "The log was put back: it says that the server was restored from the backup nightly of ",
  );
  expect(stdout).toContain(`Of what this machine verified it has everything up to #${head};`);
  expect(stdout).toContain(`#${head + 1} to #${verified.seq} are gone.`);
  expect(stdout).not.toContain("The log holds");
  expect(stdout).toContain("audit verify --accept-restore --board demo");
  const accepted = await json([...audit, "--accept-restore"]);
  expect(accepted).toMatchObject({ ...restored, ok: true });
  const next = await json(audit);
  expect(next).toMatchObject({ ok: true, pinned_head: { seq: head + 1, matches: true } });
  expect(next).not.toHaveProperty("restored");
});

test("new events after a restore do not hide it, even past the newest head", async () => {
  await sayAndVerify(2);
  const generation = await restore();
  for (let i = 1; i <= 4; i++) await say(`New ${i}`);
  expect(await found()).toMatchObject({
    events_checked: head + 5,
    restored: { generation, agreed_seq: head },
  });
  await ok([...audit, "--accept-restore"]);
  expect(await json(audit)).toMatchObject({ ok: true, pinned_head: { seq: head + 5 } });
});

test("a terminal asks once whether the restore is accepted", async () => {
  const verified = await sayAndVerify(2);
  await restore();
  await ok(["up"]);
  const question = "Do you accept the restore? [y/N]";
  const refused = await atTerminal(machine, audit, question, "n");
  expect(refused.code).toBe(3);
  expect(refused.screen).toContain(`Not accepted`);
  const accepted = await atTerminal(machine, audit, question, "y");
  expect(accepted.code).toBe(0);
  expect(accepted.screen).toContain(`#${head + 1} to #${verified.seq}`);
  expect(accepted.screen).toContain("Accepted");
  expect((await ok(audit)).stdout).toContain("The log holds: ");
});

test("a harness session is not asked", async () => {
  await sayAndVerify(1);
  await restore();
  const env = { CLAUDECODE: "1" };
  expect((await run(audit, { env })).code).toBe(3);
  expect(await json([...audit, "--as", "writer", "--accept-restore"], { env })).toMatchObject({
    ok: true,
    restored: { agreed_seq: head },
  });
});

test("a restore that takes back nothing that was verified is no finding", async () => {
  await ok(audit);
  await say("Never verified");
  const generation = await restore();
  const fine = await json(audit);
  expect(fine).toMatchObject({ ok: true, pinned_head: { seq: head, matches: true } });
  expect(fine).not.toHaveProperty("restored");
  expect(keptHeads().server_generation).toBe(generation);
  rmSync(headsFile);
  expect(await json(audit)).toMatchObject({ ok: true, pinned_head: null });
});

test("two restores between two checks are one finding, of the newest generation", async () => {
  await sayAndVerify(3);
  await restore();
  await say("Between the restores");
  await ok(["down"]);
  const generation = await markFolderRestored(data);
  expect(await found()).toMatchObject({ restored: { generation, agreed_seq: head } });
  await ok([...audit, "--accept-restore"]);
  expect(await json(audit)).toMatchObject({ ok: true });
});

test("a restore to before an accepted restore is a restore too", async () => {
  await sayAndVerify(2);
  await restore();
  await ok([...audit, "--accept-restore"]);
  await sayAndVerify(3);
  const generation = await restore();
  expect(await found()).toMatchObject({ restored: { generation, agreed_seq: head } });
});

test("a rewrite that claims a new generation and has no event of a restore is a rewrite", async () => {
  await sayAndVerify(2);
  await putBack();
  await markFolderRestored(data, { eventless: true });
  await expectRewritten(head + 1);
  await say("Something else");
  await expectRewritten(head + 1);
});

test("a restore that an earlier head contradicts is a rewrite", async () => {
  await sayAndVerify(3);
  await putBack();
  await say("Something else");
  await ok(["down"]);
  await markFolderRestored(data);
  await expectRewritten(head + 1);
});

test("the event of a restore that was verified before excuses no later rewrite", async () => {
  await sayAndVerify(1);
  const first = await restore();
  await ok([...audit, "--accept-restore"]);
  const copy = await copied();
  await sayAndVerify(2);
  await putBack(copy);
  await say("Something else");
  await expectRewritten(head + 2);
  // Neither does another generation with it, nor the old event's again.
  await ok(["down"]);
  await markFolderRestored(data, { eventless: true });
  await expectRewritten(head + 2);
  await ok(["down"]);
  await tamper((tx) => saveGeneration(tx, first));
  await expectRewritten(head + 2);
});

test("an older copy with its older generation and its older event is no restore", async () => {
  await sayAndVerify(1);
  await restore();
  await ok([...audit, "--accept-restore"]);
  const copy = await copied();
  await markFolderRestored(data);
  await sayAndVerify(1);
  await putBack(copy);
  await expectRewritten(head + 2);
});

test("an event of a restore that is not of the server's generation is a rewrite", async () => {
  await sayAndVerify(2);
  await putBack();
  await tamper((tx) => recordRollback(tx, `gen_${"0".repeat(26)}`));
  await expectRewritten(head + 1);
  await ok(["down"]);
  await markFolderRestored(data, { eventless: true });
  await expectRewritten(head + 1);
});

test("an event of a restore is a rewrite under the generation that was verified before", async () => {
  await sayAndVerify(2);
  await putBack();
  const { generation } = await json(["api", "getInfo"]);
  await ok(["down"]);
  await tamper((tx) => recordRollback(tx, generation));
  await expectRewritten(head + 1);
});

test("a restored log that is damaged is damaged, also for who accepts the restore", async () => {
  await sayAndVerify(2);
  await restore();
  await say("After the restore");
  await ok(["down"]);
  const db = new Database(database);
  db.query("UPDATE event SET data = '{}' WHERE place = (SELECT max(place) FROM event)").run();
  db.close();
  const bad = await found("--accept-restore");
  expect(bad).toMatchObject({
    ok: false,
    first_bad: { seq: head + 2, reason: "data_hash_mismatch" },
    pinned_head: { matches: false },
  });
  expect(bad).not.toHaveProperty("restored");
});

/** What this machine keeps of the only board. */
const keptHeads = (): any => Object.values(JSON.parse(readFileSync(headsFile, "utf8")))[0];
function keepInstead(change: (kept: any) => object): void {
  const [[key, kept]] = Object.entries(JSON.parse(readFileSync(headsFile, "utf8"))) as [
    [string, any],
  ];
  writeFileSync(headsFile, JSON.stringify({ [key]: change(kept) }));
}

test("a generation that is no id is not kept, and damages no file", async () => {
  await tamper((tx) => saveGeneration(tx, `gen_\n${"x".repeat(10_000)}`));
  await sayAndVerify(1);
  expect(keptHeads().server_generation).toBeUndefined();
  expect(await json(audit)).toMatchObject({ ok: true, pinned_head: { matches: true } });
});

test("a file of an older version, with one head and no generation, is read and gets the others", async () => {
  await sayAndVerify(1);
  keepInstead(({ seq, hash }) => ({ seq, hash }));
  expect(await json(audit)).toMatchObject({ ok: true, pinned_head: { matches: true } });
  const kept = keptHeads();
  expect(kept).toMatchObject({ seq: head + 1, server_generation: expect.stringMatching(/^gen_/) });
  expect(kept.earlier[0].seq).toBe(1);
});

test("a lone head of an older version tells a restore only when it comes before it", async () => {
  await ok(audit);
  keepInstead(({ seq, hash }) => ({ seq, hash }));
  await say("Lost");
  await restore();
  expect(await json(audit)).toMatchObject({ ok: true });
  await sayAndVerify(1);
  keepInstead(({ seq, hash }) => ({ seq, hash }));
  await restore();
  // Nothing that was verified before the restore is known, so nothing shows that only the end was lost.
  await expectRewritten(head + 2);
});

test.each<[string, (kept: any) => object]>([
  ["a hash that is none", (kept) => ({ ...kept, hash: "sha256:12" })],
  [
    "a position below the first",
    (kept) => ({ ...kept, earlier: [{ ...kept.earlier[0], seq: 0 }] }),
  ],
  ["heads in a wrong order", (kept) => ({ ...kept, earlier: kept.earlier.toReversed() })],
  ["one head twice", (kept) => ({ ...kept, earlier: [kept.earlier[0], kept.earlier[0]] })],
  ["an earlier head past the newest", (kept) => ({ ...kept, seq: kept.earlier.at(-1).seq })],
  ["earlier heads that are no list", (kept) => ({ ...kept, earlier: { 1: "x" } })],
  ["a generation that is no text", (kept) => ({ ...kept, server_generation: 5 })],
])(
  "a file with %s is damaged: nothing is verified by it, and it is not written over",
  async (_, change) => {
    await sayAndVerify(1);
    keepInstead(change);
    const before = readFileSync(headsFile, "utf8");
    for (const words of [audit, [...audit, "--accept-restore"]])
      expect(await refusal(words)).toBe("internal");
    expect(readFileSync(headsFile, "utf8")).toBe(before);
  },
);

test("a file that is a list is damaged too", async () => {
  await sayAndVerify(1);
  writeFileSync(headsFile, "[]");
  expect(await refusal(audit)).toBe("internal");
});

test("kept heads: dense near the newest, the first event's among them, and few", async () => {
  expect(existsSync(headsFile)).toBe(false);
  await sayAndVerify(1);
  const { seq, hash, earlier } = keptHeads();
  const kept = earlier.map((one: any) => one.seq);
  expect(kept.slice(-6)).toEqual(Array.from({ length: 6 }, (_, i) => seq - 6 + i));
  expect(kept[0]).toBe(1);
  const log = (await json(["api", "listEvents", "board=demo"])).events;
  for (const one of [...earlier, { seq, hash }]) expect(log[one.seq - 1].hash).toBe(one.hash);
});

test("a restore of a board with working codes explains the loss of a single event", async () => {
  const home = newMachine();
  const folder = join(home.home, "data");
  await home.ok(["pair", "--board", "docs", "--name", "ed"]);
  for (const ttl of ["1h", "2h", "3h"]) await home.ok(["invite", "--board", "docs", "--ttl", ttl]);
  await home.ok(["backup", "--to", join(home.home, "saved")]);
  await home.ok(["say", "Lost", "--as", "ed"]);
  const verify = ["audit", "verify", "--board", "docs", "--json"];
  const { head: lost } = (await home.run(verify)).json();
  await home.ok(["down"]);
  rmSync(folder, { recursive: true });
  await home.ok(["restore", join(home.home, "saved"), "--keys", "keep"]);
  const found = (await home.run(verify)).json();
  expect(found).toMatchObject({ first_bad: null, restored: { agreed_seq: lost.seq - 1 } });
  expect((await home.run([...verify, "--accept-restore"])).code).toBe(0);
  expect((await home.run(verify)).code).toBe(0);
  await home.end();
});
