import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHash } from "node:crypto";
import { Refusal, refuse } from "../../src/contract/refusal.ts";
import { openDatabase, type Db, type Tx } from "../../src/db/engine/database.ts";
import { migrations } from "../../src/db/migrations/index.ts";
import { DatabaseUnavailable } from "../../src/db/engine/unavailable.ts";
import { refusalOf, startWorld } from "../support/servers/server-in-process.ts";
import { schemaFile, schemaText } from "../support/schema.ts";
import { brokenAt } from "../support/log-chain.ts";
import { docs, eventsOf, makeDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { count } from "../support/count-rows.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const newFile = () => join(temporaryFolder(), "service.db");

/** Writes something that can be looked for. */
const mark = (tx: Tx, name: string) =>
  tx.insert(
    "INSERT INTO kept_answer (credential, idempotency_key, request_hash, status, body, kept_at) VALUES (?, '', '', 200, '', '')",
    name,
  );
const marks = (db: Db) =>
  db
    .read((tx) => tx.all<{ credential: string }>("SELECT credential FROM kept_answer ORDER BY row"))
    .map(({ credential }) => credential);
/** What became of each write: its value, or the message of its error. */
const outcomes = async (writes: Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((each) =>
    each.status === "fulfilled" ? each.value : String((each.reason as Error).message),
  );

describe("writes that are committed together", () => {
  test("stand or fall alone: a fault undoes its own write and no other", async () => {
    const db = openDatabase(":memory:");
    let told = 0;
    db.onCommit((signals) => (told += signals.length));
    const writes = Array.from({ length: 20 }, (_, n) =>
      db.write((tx) => {
        mark(tx, `m${n}`);
        tx.signal({ about: "key-ended", keyRow: n });
        if (n === 7) throw new Error("a fault");
        if (n === 12) mark(tx, "m11");
        return n;
      }),
    );
    const became = await outcomes(writes);
    expect([became[7], became[12]]).toEqual(["a fault", expect.stringContaining("UNIQUE")]);
    const rest = Array.from({ length: 20 }, (_, n) => n).filter((n) => n !== 7 && n !== 12);
    expect(became.filter((value) => typeof value === "number")).toEqual(rest);
    expect(marks(db)).toEqual(rest.map((n) => `m${n}`));
    expect([told, db.counters.commits]).toEqual([rest.length, 1]);
    db.close();
  });

  test("fail together when the commit fails, and no caller gets a success", async () => {
    const db = openDatabase(":memory:");
    let told = 0;
    db.onCommit(() => told++);
    const became = await outcomes([
      db.write((tx) => mark(tx, "before")),
      db.write((tx) => {
        tx.run("PRAGMA defer_foreign_keys = ON");
        tx.run("INSERT INTO board_role (board_row, name, can) VALUES (99, 'ghost', '[]')");
        tx.signal({ about: "head", boardRow: 99 });
      }),
      db.write((tx) => mark(tx, "after")),
    ]);
    expect(became).toEqual(Array(3).fill("FOREIGN KEY constraint failed"));
    expect([marks(db), told]).toEqual([[], 0]);
    await db.write((tx) => mark(tx, "later"));
    expect(marks(db)).toEqual(["later"]);
    db.close();
  });

  test("each fail, and the queue comes to its end, while no transaction can begin", async () => {
    const db = openDatabase(":memory:");
    db.read((tx) => tx.get("PRAGMA query_only = ON"));
    const became = await outcomes(["one", "two"].map((name) => db.write((tx) => mark(tx, name))));
    expect(became).toEqual(Array(2).fill("attempt to write a readonly database"));
    db.read((tx) => tx.get("PRAGMA query_only = OFF"));
    await db.write((tx) => mark(tx, "later"));
    expect(marks(db)).toEqual(["later"]);
    db.close();
  });

  test("must not be async: one is refused, and nothing of it is kept", async () => {
    const db = openDatabase(":memory:");
    const write = db.write(async (tx) => mark(tx, "async"));
    await expect(write).rejects.toThrow(TypeError);
    await db.write((tx) => mark(tx, "beside"));
    expect(marks(db)).toEqual(["beside"]);
    db.close();
  });

  test("keep what they write after a part of them was undone", async () => {
    const db = openDatabase(":memory:");
    let told = 0;
    db.onCommit((signals) => (told += signals.length));
    await db.write((tx) => {
      try {
        tx.attempt(() => {
          mark(tx, "undone");
          tx.signal({ about: "key-ended", keyRow: 1 });
          throw refuse("unauthorized");
        });
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
      mark(tx, "kept");
    });
    expect([marks(db), told]).toEqual([["kept"], 0]);
    db.close();
  });

  test("are on disk before the database closes, and refused after", async () => {
    const file = newFile();
    const db = openDatabase(file);
    const written = db.write((tx) => mark(tx, "last"));
    db.close();
    await written;
    await expect(db.write((tx) => mark(tx, "late"))).rejects.toThrow("closed");
    const again = openDatabase(file);
    expect(marks(again)).toEqual(["last"]);
    again.close();
  });
});

test("a full disk fails posts with a fault's id, half of none is stored, and posting goes on when there is space", async () => {
  const world = await startWorld({ file: newFile() });
  await makeDocs(world);
  const writers = [world.admin, await seatOnDocs(world, "a"), await seatOnDocs(world, "b")];
  const pages = (tx: { get<Row>(sql: string): Row | null }) =>
    count(tx as Tx, "SELECT page_count AS n FROM pragma_page_count");
  world.db.read((tx) => tx.get(`PRAGMA max_page_count = ${pages(tx) + 42}`));
  const send = (n: number) =>
    writers[n % 3]!.send(
      "postMessage",
      { ...docs, body: { body: `${n} ${"x".repeat((n * 997) % 9000)}`, to: ["@b"] } },
      { idempotencyKey: `post-${n}` },
    );
  const first = await Promise.all(Array.from({ length: 60 }, (_, n) => send(n)));
  const failed = first.flatMap(({ status }, n) => (status === 201 ? [] : [n]));
  expect(failed.length).toBeGreaterThan(5);
  expect(failed.length).toBeLessThan(60);
  for (const n of failed) {
    const { status, data } = first[n]!;
    const { code, message } = (data as { error: { code: string; message: string } }).error;
    expect([status, code]).toEqual([500, "internal"]);
    const fault = world.faults.find((each) => message.includes(String(each["fault"])));
    expect(fault).toMatchObject({ code: "SQLITE_FULL" });
  }
  await world.admin.call("getBoard", docs);

  const bodies = async () => {
    const events = await eventsOf(world.admin);
    expect(brokenAt(events)).toBeNull();
    return events.flatMap(({ data }) =>
      "body" in data! ? [Number.parseInt(String(data["body"]))] : [],
    );
  };
  const stored = await bodies();
  expect(stored.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 60 }, (_, n) => n).filter((n) => !failed.includes(n)),
  );
  world.db.read((tx) => {
    for (const table of ["message", "recipient"])
      expect(
        count(
          tx,
          `SELECT count(*) AS n FROM ${table} WHERE place NOT IN (SELECT place FROM event)`,
        ),
      ).toBe(0);
    expect(count(tx, "SELECT count(*) AS n FROM message")).toBe(stored.length);
    tx.get("PRAGMA max_page_count = 100000");
  });
  const second = await Promise.all(failed.map(send));
  expect(second.map(({ status }) => status)).toEqual(failed.map(() => 201));
  expect(second.every(({ headers }) => !headers.has("idempotent-replayed"))).toBe(true);
  expect(new Set(await bodies()).size).toBe(60);
  world.faults.length = 0;
});

test("a fault is logged under the id that its answer names, and the answer says nothing of it", async () => {
  const world = await startWorld();
  await makeDocs(world);
  await post(world.admin, "hello");
  await world.db.write((tx) => tx.run("DROP TABLE reaction"));
  const refusal = await refusalOf(world.admin.call("listMessages", docs));
  expect(refusal).toMatchObject({ status: 500, code: "internal" });
  const faults = world.faults.splice(0);
  expect(faults).toHaveLength(1);
  const { fault, message } = faults[0]!;
  expect(refusal.message).toContain(String(fault));
  expect(message).toContain("reaction");
  expect(JSON.stringify(refusal)).not.toContain("reaction");
});

describe("a database is refused", () => {
  const codeOf = (open: () => Db) => {
    try {
      open().close();
    } catch (error) {
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      return (error as DatabaseUnavailable).code;
    }
    return null;
  };

  test("while another has it open, and no longer", () => {
    const file = newFile();
    const first = openDatabase(file);
    expect(codeOf(() => openDatabase(file))).toBe("server_already_running");
    first.close();
    expect(codeOf(() => openDatabase(file))).toBeNull();
  });

  test("when a newer program wrote it, and it is left as it is", () => {
    const file = newFile();
    openDatabase(file).close();
    const newer = new Database(file);
    newer.run(`PRAGMA user_version = ${migrations.length + 1}`);
    newer.close();
    const bytes = readFileSync(file);
    // Whoever has to go back is told where to.
    const copy = join(dirname(file), "backups", "2026-11-02T09-00-00-000Z-schema-1.db");
    mkdirSync(dirname(copy));
    writeFileSync(copy, "");
    const hint = expect.stringContaining(` is ${copy};`);
    expect(() => openDatabase(file)).toThrow(expect.objectContaining({ code: "data_newer", hint }));
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test("when the file is no database or cannot be made, by a message that names it", () => {
    const file = newFile();
    writeFileSync(file, "x".repeat(5000));
    for (const [path, what] of [
      [file, "is damaged: file is not a database."],
      [join(file, "service.db"), "cannot be opened: "],
    ] as const) {
      expect(codeOf(() => openDatabase(path))).toBe("data_unusable");
      expect(() => openDatabase(path)).toThrow(`The database ${path} ${what}`);
    }
  });

  test("when its first pages are damaged, by a message that leads to the backups", () => {
    const file = newFile();
    openDatabase(file).close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 100, 4_096));
    expect(() => openDatabase(file)).toThrow(
      expect.objectContaining({
        code: "data_unusable",
        message: expect.stringContaining(`${file} is damaged: `),
        hint: expect.stringContaining("service backup list"),
      }),
    );
  });
});

test("a migration that has shipped never changes", () => {
  const digests = migrations.map(({ name, sql }) => [
    name,
    createHash("sha256").update(sql).digest("hex"),
  ]);
  expect(digests).toEqual([
    ["0001_core", "a45f39211eed947a1fe620ebe6f7c73b1ab6576388a2c00b5b46dbe8fbe787a4"],
    ["0002_lifecycle", "1cc6c13d5f6cf97d688684817916336e49dda49b3a1a1a9508335b97c6060529"],
    ["0003_messages_to_all", "42f635edefb0ae54af68d5f23574fdabce085062de423a66897299989b0d9163"],
    ["0004_role_targets", "210b49047086b28472613162772df7cdffdc053af8f0681a2209ebd172affadd"],
    ["0005_access", "9f32a30d39b6277360b8101c3fd39e069112b9de4abc6372506774c1727a4a51"],
    ["0006_tasks", "7b8c7ba615d9d6ceb4198f6d89f0308e0050e3859de820174679cfc5e1455304"],
    ["0007_lines", "cf736d0eefb11723efdff645b06ca6dc90d7b8234a6cef49c9acba32bd7a125f"],
    ["0008_search", "422e90a6a26c5cb3b0e7473624d88b1bed95b16ca9acb8bdd16ed5b0d3072e43"],
    ["0009_about", "34deeda17e0e71a9f2663564e6843790533eadad958eaaf03092026b495fd7f0"],
    ["0010_line_tasks", "23f83297c7c431691c2a765ef993318af62be92f8dfe9e417bd08f2b5b200e26"],
    ["0011_files", "161fd14ab65b575b8bce77bc8d8c8ef6c68c87657786e7df74bd5f65eba6c15f"],
    ["0012_asks", "18686146930b00e04dbbc177a670fef058f80791b5c9a8be2af3a477276754ce"],
    ["0013_bookkeeping", "82b61df47f6b856da5793a7bdc497e41dd06c13b2698e4c80c445f09aaf0b97c"],
    ["0014_pairing", "0c1a895a949a79af1655ad6d65be0ea27529dd267f7863adf8116e5e2ea0562d"],
    ["0015_search_things", "8987b9bc1f1ff25f1735850819e190b5774c53a8f08cfa0cd77de90c14f884e3"],
    ["0016_task_counts", "b08ea43a2101705393cfab4ac67ae784dd66c7bb8a56e8b511189cf21d31aec2"],
    ["0017_search_merges", "206b17e064cbfdcc61267a20b86e53e34a960507857ff1fb3913ea54d48a3bc1"],
    ["0018_join_code_uses", "98d818fb271ec8c40710e4902f1afb8d50c38728d1662446aaf0cc366c4122c2"],
    ["0019_quiet", "4c315e28d4186c4b4c68aaacca3ffbbcdf6e318202c79ed5494c31a686ef199f"],
    ["0020_board_lists", "c885ea44a6508b9e21fd9d8df1e45655a752be4e90442d08ef69ce4f60655aa5"],
    ["0021_generation", "bfde668ac6326e13737f7d9acfe7cebf0c0bbffd591d01737925d710d6824ed7"],
    ["0022_attention", "7f2a9727a70567d8ea4c4b04ebff88dc777fe436442768b01db1ee0745d8caf2"],
    ["0023_stand_ins", "86d195ecc6c1335e5e05e9ee595f97f0b51ebf095fe77cf7c5af0ca62770c275"],
    ["0024_restores", "d661db19d834f91b50268be11d71c55202ee84fb8ef7dbb16ab785819212baf2"],
    ["0025_moved_boards", "96494ae13b5a83eecd90cc026d3910ce8abf6fd61415b15d5f28e1960dcaa1e4"],
  ]);
});

test("schema.sql is what the migrations add up to: `bun test/support/schema.ts --write` writes it", async () => {
  expect(await Bun.file(schemaFile).text()).toBe(schemaText());
});
