import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { drawFrom } from "../../support/hostile/draw.ts";
import { seed, timesMore } from "../../support/tries.ts";
import { createClient } from "../../../src/client/client.ts";
import { newHome, spawnServer } from "../../support/servers/server-as-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { newMachine, type Machine } from "../../support/commands/machine.ts";
import { filePath } from "../../support/backups/backed-up-server.ts";

/** A machine whose stopped server has a board with a message, a task and two files. */
async function stoppedServer() {
  const machine = newMachine();
  const data = join(machine.home, "data");
  await machine.ok(["pair", "--board", "docs", "--name", "rex"]);
  await machine.ok(["say", "The cellar is wet.", "--as", "rex"]);
  await machine.ok(["task", "new", "Dry the cellar", "--as", "rex"]);
  for (const name of ["a", "b"]) {
    writeFileSync(join(machine.home, `${name}.txt`), `the text ${name}`);
    await machine.ok(["file", "put", `${name}.txt`, "--as", "rex"], { cwd: machine.home });
  }
  await machine.ok(["down"]);
  return { machine, data };
}

const check = ["storage", "check"];

/** Changes the database of a stopped server, as a fault would. */
function change(data: string, ...statements: readonly string[]): void {
  const sql = new Database(join(data, "service.db"));
  for (const statement of statements) sql.run(statement);
  sql.close();
}

const cutTo = (bytes: number) => (data: string) => truncateSync(join(data, "service.db"), bytes);

/** Writes other bytes in the place of some of the database, everywhere. */
function replaceIn(data: string, text: string, other: string): void {
  const file = join(data, "service.db");
  const bytes = readFileSync(file).toString("latin1");
  writeFileSync(file, Buffer.from(bytes.replaceAll(text, other), "latin1"));
}

/** The names and digests of the files in a folder, but for its server's log. */
const filesIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "server.log")
    .map(({ name }) => [name, Bun.SHA256.hash(readFileSync(join(folder, name)), "hex")])
    .sort();

/** The answer of a check that finds damage. */
async function damageOf(machine: Machine) {
  const { code, json, stdout } = await machine.run([...check, "--json"]);
  expect([code, stdout]).toEqual([3, expect.stringContaining('"check_failed"')]);
  return json();
}

test("a stopped server's data are sound, and the check leaves nothing behind", async () => {
  const { machine, data } = await stoppedServer();
  mkdirSync(join(data, ".check"));
  const found = await machine.json(check);
  expect(found).toEqual({
    ok: true,
    db: `sqlite://${data}/service.db`,
    files: `disk://${data}/files`,
    boards: 1,
    events: expect.any(Number),
    checked: 2,
    damage: [],
    differences: [],
    missing: [],
    corrupt: [],
  });
  expect(readdirSync(data)).not.toContain(".check");
  const { stdout } = await machine.ok([...check, "--db", found.db, "--files", found.files]);
  expect(stdout).toContain(`${data} is sound: 1 board with ${found.events} events, and 2 versions`);
});

test("bytes that are missing or changed are named by their digest", async () => {
  const { machine, data } = await stoppedServer();
  rmSync(filePath(data, "the text a"));
  truncateSync(filePath(data, "the text b"), 3);
  const digest = (text: string) => Bun.CryptoHasher.hash("sha256", text, "hex");
  expect(await damageOf(machine)).toMatchObject({
    ok: false,
    checked: 2,
    damage: [],
    differences: [],
    missing: [digest("the text a")],
    corrupt: [digest("the text b")],
  });
  const { stdout } = await machine.run(check);
  expect(stdout).toContain(`The bytes of a file are not there: ${digest("the text a")}.`);
  expect(stdout).toContain("restore");
});

test.each([
  ["UPDATE task SET title = 'Flood the cellar'", ["task"]],
  ["DELETE FROM message", ["message"]],
  ["UPDATE member SET role = 'worker' WHERE kind = 'agent'", ["member"]],
  ["INSERT INTO reaction SELECT place, 'ok', sender_row, 1 FROM message LIMIT 1", ["reaction"]],
])("a board that is not what its record makes of it is found: %s", async (statement, tables) => {
  const { machine, data } = await stoppedServer();
  change(data, "PRAGMA foreign_keys = OFF", statement);
  const { damage, differences } = await damageOf(machine);
  expect(damage).toEqual([]);
  expect(differences).toEqual(tables.map((table) => ({ board: "docs", table })));
});

test("rows that belong to nothing are found", async () => {
  const { machine, data } = await stoppedServer();
  change(data, "PRAGMA foreign_keys = OFF", "DELETE FROM member WHERE kind = 'agent'");
  const { differences } = await damageOf(machine);
  expect(differences).toContainEqual({ board: "docs", table: "member" });
  expect(differences).toContainEqual({ board: "(none)", table: "current_task" });
});

test.each([
  [
    "UPDATE event SET data = replace(data, 'wet', 'dry')",
    /^The record of the board docs does not verify at event \d+\.$/,
  ],
  [
    "DELETE FROM event WHERE place = (SELECT max(place) - 1 FROM event)",
    /^The record of the board docs does not verify at event \d+\.$/,
  ],
  ["DELETE FROM event", /^The record of the board docs is not there\.$/],
  ["DELETE FROM board", /^The record of the board in row 1 does not verify at event 1\.$/],
])("a record that does not hold is found: %s", async (statement, sentence) => {
  const { machine, data } = await stoppedServer();
  change(data, "PRAGMA foreign_keys = OFF", "DROP TRIGGER IF EXISTS event_kept", statement);
  const { damage, differences } = await damageOf(machine);
  expect(damage).toEqual([expect.stringMatching(sentence)]);
  expect(differences).toEqual([]);
});

test.each([
  ["a cut database", /service\.db is damaged: database disk image is malformed\.$/, cutTo(40_000)],
  ["an empty database", /service\.db holds nothing of a server\.$/, cutTo(0)],
  [
    "another file in its place",
    /service\.db is damaged: file is not a database\.$/,
    (data: string) => writeFileSync(join(data, "service.db"), "no database".repeat(100)),
  ],
  [
    "a database without a table",
    /service\.db is damaged: no such table: file_version\.$/,
    (data: string) => change(data, "PRAGMA foreign_keys = OFF", "DROP TABLE file_version"),
  ],
  [
    "a database with another definition of a table",
    /service\.db is damaged: malformed columnsize/,
    (data: string) => replaceIn(data, "columnsize = 0", "columnsize = x"),
  ],
  [
    "a database of a negative version",
    /service\.db holds nothing of a server\.$/,
    (data: string) => change(data, "PRAGMA user_version = -2"),
  ],
  ["no digest key", /no digest key\.$/, (data: string) => rmSync(join(data, "digest-key"))],
  [
    "a cut digest key",
    /does not contain the digest key/,
    (data: string) => truncateSync(join(data, "digest-key"), 10),
  ],
])("%s is damage, and stays as it is", async (_what, sentence, harm) => {
  const { machine, data } = await stoppedServer();
  harm(data);
  const before = filesIn(data);
  expect((await damageOf(machine)).damage).toEqual([expect.stringMatching(sentence)]);
  expect(filesIn(data)).toEqual(before);
});

test(
  "a database with a wrong byte anywhere is sound or damaged, and never a fault of the program",
  async () => {
    const { machine, data } = await stoppedServer();
    const base = join(data, "service.db");
    const good = readFileSync(base);
    // What lies before it says what kind of file it is, and of which version.
    const places = [...good.keys()].filter((at) => at >= 100 && good[at] !== 0);
    const codes = new Set<number>();
    for (let round = 0; round < timesMore(40); round++) {
      const draw = drawFrom(seed, round);
      const bad = Buffer.from(good);
      const at = draw.pick(places);
      bad[at]! ^= draw.pick([1, 0x80, 0xff]);
      writeFileSync(base, bad);
      const { code, stdout, stderr } = await machine.run([...check, "--json"]);
      if (code !== 0 && code !== 3) throw new Error(`the byte ${at}: ${stdout}${stderr}`);
      codes.add(code);
    }
    expect(codes).toEqual(new Set([0, 3]));
  },
  timesMore(30_000),
);

/** The database and the log of commits of a server that was killed. */
async function killedServer() {
  const { home, remove, ownerToken } = newHome();
  temporaryFolder(async () => remove());
  const server = await spawnServer(home);
  const ana = createClient({ baseUrl: await server.ready(), token: ownerToken() });
  await ana.call("createBoard", { body: { name: "docs" } });
  for (let i = 0; i < 10; i++)
    await ana.call("postMessage", { params: { board: "docs" }, body: { body: `${i}` } });
  await server.kill();
  const data = join(home, "data");
  return { home, data, log: join(data, "service.db-wal"), machine: newMachine() };
}

test("commits that a start would leave out are damage, and the log that has them stays", async () => {
  const { data, log, machine } = await killedServer();
  const bytes = readFileSync(log);
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(log, bytes);
  const { code, json } = await machine.run([...check, "--data", data, "--json"]);
  expect([code, json().damage]).toEqual([
    3,
    [expect.stringContaining(`The last commits in ${log} are damaged`)],
  ]);
  expect(readFileSync(log).equals(bytes)).toBe(true);
});

test("a start that leaves out commits says so in its log", async () => {
  const { home, log } = await killedServer();
  const bytes = readFileSync(log);
  bytes[Math.floor(bytes.length * 0.95)]! ^= 1;
  writeFileSync(log, bytes);
  const server = await spawnServer(home);
  await server.ready();
  server.child.kill("SIGTERM");
  expect(await new Response(server.child.stderr).text()).toContain('"event":"commits.left-out"');
});

test("what a power cut leaves of the last commit is no damage, and neither is the log of a server that was killed", async () => {
  const { data, log, machine } = await killedServer();
  const bytes = readFileSync(log);
  // The last commit has several pages, of which one is not on the disk.
  bytes.fill(0, bytes.length - 2 * 4_096, bytes.length - 4_096 - 24);
  writeFileSync(log, bytes);
  const { events } = await machine.json([...check, "--data", data]);
  const whole = await killedServer();
  expect((await machine.json([...check, "--data", whole.data])).events).toBe(events + 1);
});

test("nothing is checked while a server runs, where none has data, or of an older version, of which no backup is made either", async () => {
  const { machine, data } = await stoppedServer();
  await machine.ok(["boards"]);
  expect(await machine.refusal(check)).toBe("server_already_running");
  expect(existsSync(join(data, ".check"))).toBe(false);
  await machine.ok(["down"]);
  const empty = await machine.run([...check, "--data", "/nonexistent"]);
  expect([empty.code, empty.stderr]).toEqual([
    2,
    expect.stringContaining("The folder /nonexistent holds no server's data."),
  ]);
  const file = await machine.run([...check, "--data", join(data, "service.db")]);
  expect([file.code, file.stderr]).toEqual([
    2,
    expect.stringContaining(`${join(data, "service.db")} is not a folder.`),
  ]);
  change(data, "PRAGMA user_version = 3");
  const older = await machine.run(check);
  expect([older.code, older.stderr]).toEqual([1, expect.stringContaining("an older version")]);
  // Neither does a backup bring it up to date: it is what one goes back to.
  expect(await machine.refusal(["backup"])).toBe("data_unusable");
  expect(readdirSync(data)).not.toContain("backups");
});
