import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Client, Given } from "../../../src/client/client.ts";
import type { Operations } from "../../../src/contract/index.ts";
import type { Output } from "../../../src/contract/operation.ts";
import { startWorld, type World } from "../../support/servers/server-in-process.ts";
import {
  docs,
  headOf,
  makeDocs,
  personOnDocs,
  post,
  seatOnDocs,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";
import { openTask, startBoardWithTasks, task } from "../../support/boards/board-with-tasks.ts";
import { tries } from "../../support/tries.ts";

type Query = NonNullable<Given<"searchBoard">["query"]>;
type Hit = Output<Operations["searchBoard"]>["hits"][number];
type TaskHit = Extract<Hit, { kind: "task" }>;

const search = (reader: Client, query: Query | string) =>
  reader.call("searchBoard", {
    ...docs,
    query: typeof query === "string" ? { q: query } : query,
  });
const hitsOf = async (reader: Client, query: Query | string) => (await search(reader, query)).hits;
const tasksFound = async (reader: Client, query: Query | string) =>
  (await hitsOf(reader, query)).filter((hit): hit is TaskHit => hit.kind === "task");
const titles = async (reader: Client, query: Query | string) =>
  (await tasksFound(reader, query)).map(({ title }) => title);
/** What was found, in a word each: the reference of a task, the number of a message. */
const names = (hits: readonly Hit[]) =>
  hits.map((hit) => (hit.kind === "task" ? hit.ref : `#${hit.seq}`));
const found = async (reader: Client, query: Query | string) => names(await hitsOf(reader, query));

/** Throws if the index of tasks is not what their rows say. */
const checkIndex = ({ db }: World) =>
  db.write((tx) =>
    tx.run("INSERT INTO search_task (search_task, rank) VALUES ('integrity-check', 1)"),
  );

describe("a task", () => {
  test("is found by its reference, title, about, stands and closing note, and says in which", async () => {
    const { world, ana, bo, writer } = await startBoardWithTasks();
    await openTask(writer, "Fix the login", { about: "Sessions end early.", start: true });
    await writer.call("updateTask", { ...task(), body: { stands: "The clock is to blame." } });
    await ana.call("finishTask", { ...task(), body: { note: "Shipped with version two." } });
    const at = world.clock.now.toISOString();
    const seq = await headOf(ana);
    const { id, owner } = await ana.call("getTask", task());
    const words = {
      "DOC-1": ["ref", "DOC-1"],
      LOGIN: ["title", "Fix the login"],
      sessions: ["about", "Sessions end early."],
      "clock blame": ["stands", "The clock is to blame."],
      '"version two"': ["closed_note", "Shipped with version two."],
      "login sessions clock": ["title", "Fix the login"],
    };
    for (const [q, [found_in, text]] of Object.entries(words)) {
      const [hit, ...others] = await tasksFound(bo, q);
      expect(others).toEqual([]);
      const { excerpt, ...rest } = hit!;
      expect(rest).toEqual({
        kind: "task",
        id,
        seq,
        at,
        ref: "DOC-1",
        title: "Fix the login",
        state: "done",
        owner,
        found_in: found_in as TaskHit["found_in"],
      });
      expect(excerpt.parts.map(({ text }) => text).join("")).toBe(text!);
      expect(excerpt.parts.some(({ match }) => match)).toBe(true);
    }
    // A phrase stands in one text.
    expect(await tasksFound(bo, '"login sessions"')).toEqual([]);
  });

  test("is found by what it says now alone, where that changed last", async () => {
    const { world, ana, writer } = await startBoardWithTasks();
    await openTask(writer, "First words", { about: "Why.", start: true });
    // It was started at once.
    const opened = (await headOf(ana)) - 1;
    const change = (body: NonNullable<Given<"updateTask">["body"]>) =>
      ana.call("updateTask", { ...task(), body });
    await post(ana, "between");
    const seqs = async (q: string) => (await tasksFound(ana, q)).map(({ seq }) => seq);
    expect(await seqs("first")).toEqual([opened]);
    await change({ title: "Second words" });
    expect([await seqs("first"), await seqs("second")]).toEqual([[], [opened + 3]]);
    await change({ about: "" });
    expect([await seqs("why"), await seqs("words")]).toEqual([[], [opened + 4]]);
    await change({ stands: "Half of it." });
    await change({ stands: "All of it." });
    expect([await seqs("half"), await seqs("all")]).toEqual([[], [opened + 6]]);
    // The same again changes nothing.
    await change({ stands: "All of it." });
    expect(await seqs("all")).toEqual([opened + 6]);
    await checkIndex(world);
  });

  test("stays where it is when others take it, help or give it up; state and owner are those of now", async () => {
    const { ana, writer, second } = await startBoardWithTasks();
    await openTask(ana, "Some words");
    const [before] = await tasksFound(ana, "words");
    expect(before).toMatchObject({ state: "open", owner: null });
    await writer.call("startTask", task());
    await second.call("joinTask", task());
    const [taken] = await tasksFound(ana, "words");
    expect(taken).toMatchObject({ state: "in_progress", owner: { name: "writer", kind: "agent" } });
    expect([taken!.seq, taken!.at]).toEqual([before!.seq, before!.at]);
    await writer.call("dropTask", task());
    expect(await tasksFound(ana, "words")).toEqual([before!]);
  });

  test("is found at once, whatever becomes of the index of messages, and by every member", async () => {
    const { world, writer, second, scout } = await startBoardWithTasks();
    await setPolicy(world, { visibility: "addressed" });
    world.indexing.stop();
    await openTask(writer, "Some words");
    for (const reader of [second, scout])
      expect(await titles(reader, "words")).toEqual(["Some words"]);
  });

  test("counts as its best text, among the messages", async () => {
    const { ana } = await startBoardWithTasks();
    const long = await post(ana, `login ${"and so on ".repeat(60)}`);
    await openTask(ana, "Fix the login", { about: "and so on ".repeat(300) });
    await openTask(ana, "Another", { about: `login ${"and so on ".repeat(300)}` });
    const often = await post(ana, "login, login, login");
    expect(await found(ana, "login")).toEqual([`#${often.seq}`, "DOC-1", `#${long.seq}`, "DOC-2"]);
  });

  test("of another board, or of one that is gone, is not found", async () => {
    const { ana, bo } = await startBoardWithTasks();
    await ana.call("createBoard", { body: { name: "other" } });
    const params = { board: "other" };
    await ana.call("createTask", { params, body: { title: "Some words" } });
    expect(await found(ana, "words")).toEqual([]);
    const query = { q: "words", kind: "task" } as const;
    expect(await verdictOf(bo.call("searchBoard", { params, query }))).toBe("403 not_on_board");
    expect((await ana.call("searchBoard", { params, query })).hits).toHaveLength(1);
    await ana.call("archiveBoard", { params });
    expect((await ana.call("searchBoard", { params, query })).hits).toHaveLength(1);
    await ana.call("deleteBoard", { params });
    expect(await verdictOf(ana.call("searchBoard", { params, query }))).toBe("404 board_not_found");
  });
});

describe("a reference alone", () => {
  test("finds its task first, in any case and in quotes, and the rest behind it", async () => {
    const { ana } = await startBoardWithTasks();
    await openTask(ana, "A task", { about: "and so on ".repeat(100) });
    await openTask(ana, "DOC-1 doc-1 DOC-1");
    const { seq } = await post(ana, "DOC-1 DOC-1 DOC-1");
    for (const q of ["DOC-1", "doc-1", '"Doc-1"'])
      expect(await found(ana, q)).toEqual(["DOC-1", `#${seq}`, "DOC-2"]);
    expect((await found(ana, "DOC-1 1"))[0]).toBe(`#${seq}`);
    expect(await found(ana, "DOC-9")).toEqual([]);
    await ana.call("updateBoard", { ...docs, body: { task_prefix: "NEW" } });
    expect((await found(ana, "DOC-1"))[0]).toBe("DOC-1");
    expect(await found(ana, "NEW-1")).toEqual([]);
  });

  test.each(["message", "task"])(
    "finds it before more than are ranked together, once on all pages: kind %s",
    async (kind) => {
      const { ana } = await startBoardWithTasks();
      const say = (text: string) => (kind === "task" ? openTask(ana, text) : post(ana, text));
      await say("see DOC-1 or DOC-2");
      const { ref } = await openTask(ana, "An old task");
      for (let i = 0; i < 500; i++) await say(`see ${ref}`);
      for (const limit of [1, 2, 200]) {
        const [first, ...rest] = await everyPage(ana, { q: ref, limit }, 3);
        expect(first).toMatchObject({ kind: "task", ref });
        expect(names(rest)).not.toContain(ref);
      }
      const all = await everyPage(ana, { q: ref, limit: 200 });
      expect(all).toHaveLength(502);
      expect(new Set(names(all)).size).toBe(502);
    },
    20_000,
  );

  test("finds it only where the filters let it through", async () => {
    const { ana, writer } = await startBoardWithTasks();
    await openTask(writer, "A task");
    const seq = await headOf(ana);
    for (const query of [{ kind: "task" }, { from: "writer" }, { after: seq - 1, before: seq + 1 }])
      expect(await found(ana, { q: "DOC-1", ...query } as Query)).toEqual(["DOC-1"]);
    for (const query of [
      { kind: "message" },
      { from: "bo" },
      { after: seq },
      { before: seq },
      { to_me: true },
      { q: "DOC-1 DOC-1", from: "bo" },
    ])
      expect(await found(ana, { q: "DOC-1", ...query } as Query)).toEqual([]);
  });
});

/** Every page of a search, or the first so many. */
async function everyPage(
  reader: Client,
  query: Query,
  most = Infinity,
  between: () => Promise<void> = async () => {},
): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (let cursor: string | null | undefined, page = 0; cursor !== null && page < most; page++) {
    if (page > 0) await between();
    const answer: Output<Operations["searchBoard"]> = await search(reader, {
      ...query,
      ...(cursor && { cursor }),
    });
    expect(answer.hits.length).toBeLessThanOrEqual(query.limit ?? 50);
    hits.push(...answer.hits);
    cursor = answer.next;
  }
  return hits;
}

test("kinds and filters choose among messages and tasks", async () => {
  const world = await startWorld();
  const { admin: ana } = world;
  await makeDocs(world, { template: "writer-reviewer" });
  const bo = await personOnDocs(world, "bo");
  const writer = await seatOnDocs(world, "w", "writer");
  await openTask(ana, "word one");
  await openTask(bo, "word two");
  await openTask(writer, "word three");
  const { seq } = await post(bo, { body: "word four", to: ["@ana"] });
  await post(writer, "word five");
  const tasks = ["DOC-1", "DOC-2", "DOC-3"];
  const all = async (query: Partial<Query>) =>
    (await found(ana, { q: "word", ...query })).toSorted();
  expect(await all({})).toEqual([`#${seq}`, `#${seq + 1}`, ...tasks].toSorted());
  expect(await all({ kind: "message" })).toEqual([`#${seq}`, `#${seq + 1}`].toSorted());
  expect(await all({ kind: "task" })).toEqual(tasks);
  expect(await all({ from: "bo" })).toEqual([`#${seq}`, "DOC-2"]);
  expect(await all({ role: "writer" })).toEqual([`#${seq + 1}`, "DOC-3"]);
  expect(await all({ from: "bo", role: "writer" })).toEqual([]);
  // Nobody is written to by a task.
  expect(await all({ to_me: true })).toEqual([`#${seq}`, `#${seq + 1}`].toSorted());
  expect(await all({ to_me: true, kind: "task" })).toEqual([]);
  // Who opened it counts, not who wrote last.
  await ana.call("updateTask", { ...task(2), body: { stands: "word" } });
  expect(await all({ from: "bo", kind: "task" })).toEqual(["DOC-2"]);
  expect(await all({ after: seq + 1 })).toEqual(["DOC-2"]);
  expect(await all({ before: seq })).toEqual(["DOC-1", "DOC-3"]);
  // The task itself, and what is about it.
  const about = await post(bo, { body: "word six", about: ["3"] });
  for (const selector of ["3", "doc-3"])
    expect(await all({ task: selector })).toEqual([`#${about.seq}`, "DOC-3"]);
  expect(await all({ task: "3", kind: "task", role: "writer" })).toEqual(["DOC-3"]);
  expect(await all({ task: "3", from: "ana" })).toEqual([]);
  expect(await all({ task: "3", q: "DOC-1" })).toEqual([]);
  expect(await all({ task: "3", q: "DOC-3", from: "w" })).toEqual(["DOC-3"]);
  expect(await verdictOf(all({ task: "9" }))).toBe("404 task_not_found");
  expect(await verdictOf(all({ kind: "file or so" as "task" }))).toBe("400 invalid_request");
  expect(await verdictOf(all({ kind: "task", from: "nobody" }))).toBe("404 member_not_found");
});

test("what changes between two pages is shown at most once, and moves nothing else", async () => {
  const { world, ana } = await startBoardWithTasks();
  const kinds = fc.array(fc.constantFrom("task", "message"), { minLength: 15, maxLength: 15 });
  const given = fc.record({ kinds, limit: fc.integer({ min: 1, max: 5 }), seed: fc.nat(1000) });
  let round = 0;
  const check = fc.asyncProperty(given, async ({ kinds, limit, seed }) => {
    const word = `word${round++}`;
    const tasks: string[] = [];
    for (const [index, kind] of kinds.entries()) {
      const text = `${word} ${"or ".repeat((index * seed) % 7)}`;
      if (kind === "task") tasks.push((await openTask(ana, "T", { about: text })).ref);
      else await post(ana, text);
    }
    const before = await found(ana, word);
    expect(before).toHaveLength(15);
    const changed = new Set<string>();
    const shown = await everyPage(ana, { q: word, limit }, Infinity, async () => {
      await post(ana, `${word} ${word}`);
      const ref = tasks[(seed + changed.size) % (tasks.length || 1)];
      if (ref === undefined || changed.has(ref)) return;
      changed.add(ref);
      const body = { stands: `${word} ${word} at last` };
      await ana.call("updateTask", { ...task(ref), body });
    });
    const unchanged = (all: readonly string[]) => all.filter((name) => !changed.has(name));
    expect(unchanged(names(shown))).toEqual(unchanged(before));
    expect(new Set(names(shown)).size).toBe(shown.length);
  });
  await fc.assert(check, tries(12));
  await checkIndex(world);
}, 300_000);

test("a task that leaves what is ranked together lets nothing older in, which would be lost there", async () => {
  const { ana } = await startBoardWithTasks();
  const { seq } = await post(ana, "word word word");
  await openTask(ana, "Another", { about: `word ${"and so on ".repeat(100)}` });
  for (let i = 0; i < 499; i++) await post(ana, "word");
  const body = { about: "No more." };
  const change = () => ana.call("updateTask", { ...task(), body }).then(() => {});
  const hits = await everyPage(ana, { q: "word", limit: 200 }, Infinity, change);
  expect(hits).toHaveLength(500);
  expect(hits.at(-1)!.seq).toBe(seq);
}, 20_000);

test("what a reader may not read changes nothing of how tasks are found", async () => {
  const { world, ana, scout } = await startBoardWithTasks();
  await setPolicy(world, { visibility: "addressed" });
  for (const title of ["red red blue", "red blue blue", "blue red red red", "red blue or so"])
    await openTask(ana, title);
  const answer = () => search(scout, "red blue");
  const before = await answer();
  expect(before.hits).toHaveLength(4);
  await ana.call("createBoard", { body: { name: "hidden", visibility: "private" } });
  for (let i = 0; i < 40; i++) {
    await post(ana, { body: "red blue secret", to: ["@writer"] });
    const body = { title: "red blue", about: "red ".repeat(50) };
    await ana.call("createTask", { params: { board: "hidden" }, body });
  }
  expect(await answer()).toEqual(before);
});

test("who may not read a board finds none of its tasks", async () => {
  const { world, ana } = await startBoardWithTasks();
  await openTask(ana, "Some words");
  await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
  const cy = await world.person("cy");
  for (const q of ["words", "DOC-1"])
    expect(await verdictOf(search(cy, { q, kind: "task" }))).toBe("404 board_not_found");
});

test("a change that is undone leaves the index as it was, and those beside it are kept", async () => {
  const { world, ana } = await startBoardWithTasks();
  await openTask(ana, "First words");
  const write = (title: string, fails: boolean) =>
    world.db.write((tx) => {
      tx.run(
        "INSERT INTO search_task (search_task, rowid, ref, title, about, stands, closed_note) SELECT 'delete', * FROM search_task_source",
      );
      tx.run("UPDATE task SET title = ?", title);
      tx.run(
        "INSERT INTO search_task (rowid, ref, title, about, stands, closed_note) SELECT * FROM search_task_source",
      );
      if (fails) throw new Error("undone");
    });
  const outcomes = await Promise.allSettled([
    write("Second words", true),
    ana.call("updateTask", { ...task(), body: { title: "Third words" } }),
    write("Fourth words", true),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  for (const q of ["first", "second", "fourth"]) expect(await titles(ana, q)).toEqual([]);
  expect(await titles(ana, "third")).toEqual(["Third words"]);
  await checkIndex(world);
});

test("a search for tasks finds what a scan of all of them finds", async () => {
  const words = ["alpha", "Béta", "gamma", "v1.2", "DOC-2"];
  const texts = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 });
  const act = fc.record({
    what: fc.constantFrom("open", "open", "title", "about", "stands", "start", "close"),
    who: fc.nat(2),
    which: fc.nat(9),
    text: texts.map((all) => all.join(" ")),
  });
  const acts = fc.array(act, { minLength: 15, maxLength: 30, size: "max" });
  const question = fc.record({
    word: fc.constantFrom(...words),
    from: fc.option(fc.constantFrom("ana", "bo", "writer"), { nil: undefined, freq: 2 }),
    named: fc.option(fc.constantFrom("DOC-1", "DOC-2"), { nil: undefined, freq: 2 }),
    after: fc.nat(20),
    before: fc.integer({ min: 15, max: 50 }),
    limit: fc.integer({ min: 1, max: 4 }),
  });
  const questions = fc.array(question, { minLength: 8, maxLength: 8 });
  let seen = 0;
  const check = fc.asyncProperty(acts, questions, async (acts, questions) => {
    const { world, ana, bo, writer } = await startBoardWithTasks();
    const members = [ana, bo, writer];
    for (const { what, who, which, text } of acts) {
      const by = members[who]!;
      const named = task(`${which + 1}`);
      if (what === "open") await openTask(by, text, { about: text });
      else if (what === "start") await by.send("startTask", named);
      else if (what === "close") await ana.send("finishTask", { ...named, body: { note: text } });
      else await ana.send("updateTask", { ...named, body: { [what]: text } });
    }
    const query = { state: "all", limit: 200 } as const;
    const { tasks } = await ana.call("listTasks", { ...docs, query });
    for (const { word, from, named, after, before, limit } of questions) {
      const only = tasks.find(({ ref }) => ref === named)?.ref;
      const hits = (await everyPage(writer, {
        q: word,
        kind: "task",
        after,
        before,
        limit,
        ...(from !== undefined && { from }),
        ...(only !== undefined && { task: only }),
      })) as TaskHit[];
      const has = (text: string | null | undefined) =>
        text?.toLowerCase().split(" ").includes(word.toLowerCase()) === true;
      const places = new Map(
        (await everyPage(writer, { q: "DOC*", kind: "task" })).map((hit) => [hit.id, hit.seq]),
      );
      const expected = tasks
        .filter(({ opened_by }) => from === undefined || opened_by.name === from)
        .filter(({ ref }) => only === undefined || ref === only)
        .filter(({ id }) => places.get(id)! > after && places.get(id)! < before)
        .filter(({ ref, title, about, stands, closed_note }) =>
          [ref, title, about?.text, stands?.text, closed_note].some(has),
        );
      expect(hits.map(({ ref }) => ref).toSorted()).toEqual(
        expected.map(({ ref }) => ref).toSorted(),
      );
      seen += hits.length;
    }
    await checkIndex(world);
    world.check();
    world.stop();
  });
  await fc.assert(check, tries(10));
  expect(seen).toBeGreaterThan(15);
}, 300_000);
