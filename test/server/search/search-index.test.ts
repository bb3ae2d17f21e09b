import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { startWorld, type World } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import {
  docs,
  headOf,
  makeDocs,
  post,
  seatOnDocs,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { count } from "../../support/count-rows.ts";
import { put } from "../../support/boards/board-with-files.ts";
import { statementsOf } from "../../support/statements.ts";
import { openTask } from "../../support/boards/board-with-tasks.ts";
import { verdictOf } from "../../support/raw-requests.ts";

const search = (reader: Client, q: string, query: { limit?: number } = {}) =>
  reader.call("searchBoard", { ...docs, query: { q, ...query } });

/** Seq up to which the index has looked at docs. */
const filledTo = ({ db }: World): number =>
  db.read(
    (tx) =>
      tx.get<{ seq: number }>(
        "SELECT place % 4294967296 AS seq FROM search_position WHERE board_row = 1",
      )?.seq ?? 0,
  );

test("a post does not touch the index; a search brings it up before it reads", async () => {
  const world = await startWorld();
  await makeDocs(world);
  for (let i = 0; i < 10; i++) await post(world.admin, "hello");
  expect(filledTo(world)).toBe(0);
  expect((await search(world.admin, "hello")).hits).toHaveLength(10);
  expect(filledTo(world)).toBe(await headOf(world.admin));
  await post(world.admin, "hello");
  expect(await search(world.admin, "hello")).toMatchObject({ complete: true });
  expect((await search(world.admin, "hello")).hits).toHaveLength(11);
});

test("a search that finds the index up to date writes nothing, and many at once bring it up once", async () => {
  const world = await startWorld();
  await makeDocs(world);
  for (let i = 0; i < 1200; i++) await post(world.admin, "hello");
  const before = world.db.counters.writes;
  const answers = await Promise.all([1, 2, 3, 4].map(() => search(world.admin, "hello")));
  expect(answers.map(({ hits, complete }) => [hits.length, complete])).toEqual(
    answers.map(() => [50, true]),
  );
  expect(world.db.counters.writes - before).toBe(3);
  await search(world.admin, "hello");
  expect(world.db.counters.writes - before).toBe(3);
}, 20_000);

test("the index is filled in pieces of 500 events, and of few where they are long", async () => {
  const world = await startWorld();
  await makeDocs(world);
  for (let i = 0; i < 1100; i++) await post(world.admin, "hello");
  for (let i = 0; i < 12; i++) await post(world.admin, `long ${"é".repeat(32_000)}`);
  const steps: number[] = [];
  for (let more = true, last = 0; more;) {
    more = await world.indexing.fill();
    steps.push(filledTo(world) - last);
    last = filledTo(world);
  }
  const head = await headOf(world.admin);
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(head);
  expect(steps.slice(0, 2)).toEqual([500, 500]);
  // 64 KB each: a piece has its last one begun before 128 KB.
  for (const step of steps.slice(4)) expect(step).toBeLessThan(4);
  expect(await world.indexing.fill()).toBe(false);
  await post(world.admin, "one more");
  expect(await world.indexing.fill()).toBe(false);
  expect(filledTo(world)).toBe(head + 1);
}, 20_000);

test("every board is filled, but for deleted ones", async () => {
  const world = await startWorld();
  await makeDocs(world);
  for (const name of ["plans", "old"]) {
    await world.admin.call("createBoard", { body: { name } });
    await world.admin.call("postMessage", { params: { board: name }, body: { body: "hello" } });
  }
  await world.admin.call("archiveBoard", { params: { board: "old" } });
  await world.admin.call("deleteBoard", { params: { board: "old" } });
  while (await world.indexing.fill());
  const rows = world.db.read((tx) => tx.all("SELECT board_row FROM search_position ORDER BY 1"));
  expect(rows).toEqual([{ board_row: 1 }, { board_row: 2 }]);
});

test("a search that could not look at everything says so, and finds the rest", async () => {
  const world = await startWorld();
  await makeDocs(world);
  await post(world.admin, "hello");
  await search(world.admin, "hello");
  world.indexing.stop();
  await post(world.admin, "hello");
  const { hits, complete } = await search(world.admin, "hello");
  expect([hits.length, complete]).toEqual([1, false]);
});

test("a piece that fails fails no search, and is tried again", async () => {
  const world = await startWorld();
  await makeDocs(world);
  await post(world.admin, "hello");
  const { write } = world.db;
  world.db.write = () => Promise.reject(new Error("database or disk is full"));
  const { hits, complete } = await search(world.admin, "hello");
  expect([hits, complete]).toEqual([[], false]);
  expect(world.faults.splice(0)).toEqual([{ message: "database or disk is full" }]);
  world.db.write = write;
  expect(await search(world.admin, "hello")).toMatchObject({ complete: true });
  expect((await search(world.admin, "hello")).hits).toHaveLength(1);
});

test("an index that was emptied fills itself from the log, and its integrity check passes", async () => {
  const world = await startWorld();
  await makeDocs(world);
  for (const body of ["one word", "two words", "drei Wörter"]) await post(world.admin, body);
  const before = await search(world.admin, "wor*");
  await world.db.write((tx) => {
    tx.run("INSERT INTO search_text (search_text) VALUES ('delete-all')");
    tx.run("DELETE FROM search_position");
  });
  expect(await search(world.admin, "wor*")).toEqual(before);
  expect(before.hits).toHaveLength(3);
  await world.db.write((tx) =>
    tx.run("INSERT INTO search_text (search_text, rank) VALUES ('integrity-check', 1)"),
  );
});

test("no text is stored a second time", async () => {
  const world = await startWorld();
  await makeDocs(world);
  for (let i = 0; i < 50; i++) await post(world.admin, `${"the same sentence again ".repeat(100)}`);
  await search(world.admin, "sentence");
  world.db.read((tx) => {
    const tables = tx.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'search_text_%' OR name LIKE 'search_task_%' OR name LIKE 'search_file_%') ORDER BY name",
    );
    expect(tables.map(({ name }) => name)).toEqual([
      "search_file_config",
      "search_file_data",
      "search_file_idx",
      "search_task_config",
      "search_task_data",
      "search_task_idx",
      "search_text_config",
      "search_text_data",
      "search_text_idx",
    ]);
    const texts = count(tx, "SELECT sum(octet_length(data)) AS n FROM event");
    const index = count(tx, "SELECT sum(octet_length(block)) AS n FROM search_text_data");
    expect(index).toBeLessThan(texts / 3);
  });
});

test("who may not search a board does not bring its index up", async () => {
  const world = await startWorld();
  await makeDocs(world, { visibility: "private" });
  await post(world.admin, "hello");
  const cy = await world.person("cy");
  expect(await verdictOf(search(cy, "hello"))).toBe("404 board_not_found");
  expect(filledTo(world)).toBe(0);
});

/**
 * docs, where all but a few messages go from ana to `busy` and have one word, as have all but one of the tasks and files,
 * which are ana's; `quiet` is written to by bo alone, who opened one task and wrote one file.
 */
async function bigBoard() {
  const { world, bo } = await startDocs({}, { template: "writer-reviewer" });
  await seatOnDocs(world, "busy");
  const quiet = await seatOnDocs(world, "quiet", "reviewer");
  await setPolicy(world, { visibility: "addressed" });
  await post(bo, { body: "common and for you", to: ["@quiet"] });
  await openTask(bo, "A common task");
  await post(bo, { body: "common to all", about: ["1"] });
  await put(bo, "common/first.md", { about: ["1"] });
  // Those of a hundred at once share a transaction.
  for (let hundred = 0; hundred < 12; hundred++)
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        await post(world.admin, { body: "common", to: ["@busy"] });
        await openTask(world.admin, "A common task");
        await put(world.admin, `common/${hundred}-${i}.md`, { text: "the same" });
      }),
    );
  await post(bo, { body: "for you", to: ["role:reviewer"] });
  await search(world.admin, "common");
  return { world, ana: world.admin, bo, quiet };
}

test("the rows that a search reads grow neither with the board nor with how often a word occurs on it", async () => {
  const { world, ana, bo, quiet } = await bigBoard();
  const asks = (reader: Client, query: NonNullable<Given<"searchBoard">["query"]>) => () =>
    reader.call("searchBoard", { ...docs, query });
  const readings: Record<string, [work: () => Promise<unknown>, rows: number]> = {
    // What it may read is few, and the word stands everywhere: the way along what it may read is taken.
    "an agent that reads little": [asks(quiet, { q: "common", kind: "message" }), 60],
    "of a member who wrote little": [asks(ana, { q: "common", from: "bo" }), 60],
    "tasks of a member who opened few": [asks(ana, { q: "common", from: "bo", kind: "task" }), 60],
    "about a task of which little was said": [asks(ana, { q: "common", task: "1" }), 60],
    "files of a member who wrote few": [asks(ana, { q: "common", from: "bo", kind: "file" }), 60],
    "files about a task": [asks(ana, { q: "common", task: "1", kind: "file" }), 60],
    "to a person who is written to little": [asks(bo, { q: "common", to_me: true }), 60],
    "a rare word": [asks(quiet, { q: "you" }), 60],
    "a reference": [asks(quiet, { q: "DOC-700" }), 60],
    // As many as are ranked are read to be counted and to be marked, and some rows more for each that is shown.
    "a common word": [asks(ana, { q: "common", kind: "message", limit: 1 }), 1100],
    "a common word of tasks": [asks(quiet, { q: "common", kind: "task", limit: 1 }), 1100],
    "a common word of files": [asks(quiet, { q: "common", kind: "file", limit: 1 }), 1100],
    // Of each kind as many, of which the newest are marked.
    "a common word of all": [asks(ana, { q: "common", limit: 1 }), 2100],
  };
  for (const [name, [work, most]] of Object.entries(readings)) {
    const statements = await statementsOf(world, work);
    const rows = statements.reduce((sum, statement) => sum + statement.rows, 0);
    expect([name, rows < most ? "few" : rows]).toEqual([name, "few"]);
    const searching = statements.filter(({ text }) => /search_(text|task|file)/.test(text));
    expect(searching).not.toEqual([]);
    for (const { text, values } of searching) {
      const steps = world.db.read((tx) =>
        tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values),
      );
      expect(steps.flatMap(({ detail }) => wideSteps(detail))).toEqual([]);
    }
  }
}, 20_000);

test("a search for a word that no message has that its reader may read looks at each once", async () => {
  const world = await startWorld();
  await makeDocs(world, { template: "writer-reviewer" });
  const even = await seatOnDocs(world, "even");
  await seatOnDocs(world, "odd");
  await setPolicy(world, { visibility: "addressed" });
  for (const title of ["About all of it", "About what is odd"]) await openTask(world.admin, title);
  for (let i = 0; i < 1200; i++) {
    const [name, about] = i % 2 ? ["odd", ["1", "2"]] : ["even", ["1"]];
    await post(world.admin, { body: `so ${name} a plan`, to: [`@${name}`], about });
  }
  await search(even, "nothing");
  const questions: NonNullable<Given<"searchBoard">["query"]>[] = [
    { q: "odd", kind: "message" },
    { q: "so odd plan", to_me: true },
    { q: "odd", task: "1", kind: "message" },
    { q: '"odd a pla"*', from: "ana", kind: "message" },
  ];
  for (const query of questions) {
    const statements = await statementsOf(world, async () => {
      expect((await even.call("searchBoard", { ...docs, query })).hits).toEqual([]);
    });
    // 600 that have the words, 600 that it may read, and 1200 that a filter lets through.
    const rows = statements.reduce((sum, statement) => sum + statement.rows, 0);
    expect(rows).toBeLessThan(2500);
    expect(statements.filter(({ text }) => text.includes("search_text")).length).toBeLessThan(20);
    for (const { text, values } of statements.filter(({ text }) => text.includes("search_text"))) {
      const steps = world.db.read((tx) =>
        tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values),
      );
      // Nowhere is the index asked anew for each row of something.
      expect(steps.filter(({ detail }) => /EXISTS|CORRELATED/.test(detail))).toEqual([]);
    }
  }
  // What the filters let through between them is nothing, so the index is not asked.
  const query = { q: "so plan", task: "2", kind: "message" } as const;
  const statements = await statementsOf(world, () => even.call("searchBoard", { ...docs, query }));
  const ofIndex = statements.filter(({ text }) => text.includes("search_text"));
  expect(ofIndex.reduce((sum, { rows }) => sum + rows, 0)).toBe(0);
}, 20_000);

describe("what a search marks", () => {
  /** What a search takes from the index of marked texts, in bytes. */
  const markedBytes = async (world: World, q: string) => {
    await search(world.admin, "nothing");
    const statements = await statementsOf(world, () => search(world.admin, q, { limit: 1 }));
    return statements
      .filter(({ text }) => text.includes("highlight("))
      .reduce((sum, { bytes }) => sum + bytes, 0);
  };
  /** Every page of a search, one hit each: seqs in their order. */
  async function seqsOf(reader: Client, q: string): Promise<number[]> {
    const seqs: number[] = [];
    for (let cursor: string | undefined, page; page?.next !== null; cursor = page.next ?? "") {
      page = await reader.call("searchBoard", {
        ...docs,
        query: { q, limit: 1, ...(cursor && { cursor }) },
      });
      seqs.push(...page.hits.map(({ seq }) => seq));
    }
    return seqs;
  }

  test("stays small where a text is all matches, and all of it is found", async () => {
    const world = await startWorld();
    await makeDocs(world);
    const seqs: number[] = [];
    for (let i = 0; i < 16; i++) seqs.push((await post(world.admin, "a ".repeat(16_000))).seq);
    // The index writes a text anew at each finding, so two or three of these are a search's work.
    expect(await markedBytes(world, "a")).toBeLessThan(4 * 64_000);
    expect(await seqsOf(world.admin, "a")).toEqual(seqs.toReversed());
  });

  test("is not much longer than the texts", async () => {
    const world = await startWorld();
    await makeDocs(world);
    for (let i = 0; i < 100; i++) await post(world.admin, "b ".repeat(400));
    expect(await markedBytes(world, "b")).toBeLessThan(100 * 2 * 810);
    for (let i = 0; i < 40; i++) await openTask(world.admin, "t", { about: "c ".repeat(1000) });
    expect(await markedBytes(world, "c")).toBeLessThan(40 * 2 * 2020);
  });

  test("ends with enough bytes, however long what is found", async () => {
    const world = await startWorld();
    await makeDocs(world);
    for (let i = 0; i < 60; i++) await post(world.admin, `word ${"x ".repeat(15_900)}`);
    const statements = await statementsOf(world, () => search(world.admin, "word"));
    const found = statements.filter(({ text }) => text.includes("search_text MATCH"));
    for (const { rows } of found) expect(rows).toBeLessThan(20);
  });
});

/** A step that looks at more than a walk comes to: the index asked for all its rows, or a table read from end to end. */
function wideSteps(detail: string): string[] {
  // The words, and either one place or a range of them.
  if (
    /^SCAN (?:search_(?:text|task|file)|walk) VIRTUAL TABLE INDEX \d+:(M\d><|M\d=|=M\d)$/.test(
      detail,
    )
  )
    return [];
  if (/^SCAN (found|value|json_each|walk|s|CONSTANT|\(subquery-\d+\))( |$)/.test(detail)) return [];
  return /^SCAN|AUTOMATIC/.test(detail) ? [detail] : [];
}
