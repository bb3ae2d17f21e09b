import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Client, Given } from "../../../src/client/client.ts";
import type { Operations } from "../../../src/contract/index.ts";
import type { Output } from "../../../src/contract/operation.ts";
import type { World } from "../../support/servers/server-in-process.ts";
import { file, put, startBoardWithTasks } from "../../support/boards/board-with-files.ts";
import { docs, headOf, personOnDocs, post, setPolicy } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";
import { openTask } from "../../support/boards/board-with-tasks.ts";
import { tries } from "../../support/tries.ts";

type Query = NonNullable<Given<"searchBoard">["query"]>;
type FileHit = Extract<Output<Operations["searchBoard"]>["hits"][number], { kind: "file" }>;

const hitsOf = async (reader: Client, query: Query | string) =>
  (
    await reader.call("searchBoard", {
      ...docs,
      query: typeof query === "string" ? { q: query } : query,
    })
  ).hits;
const filesFound = async (reader: Client, query: Query | string) =>
  (await hitsOf(reader, query)).filter((hit): hit is FileHit => hit.kind === "file");
/** Names of the files that are found, in alphabetical order. */
const names = async (reader: Client, query: Query | string) =>
  (await filesFound(reader, query)).map(({ name }) => name).toSorted();
const rename = (by: Client, before: string, name: string) =>
  by.call("updateFile", { ...file(before), body: { name } });

/** Throws if the index of files is not what their rows say. */
const checkIndex = ({ db }: World) =>
  db.write((tx) =>
    tx.run("INSERT INTO search_file (search_file, rank) VALUES ('integrity-check', 1)"),
  );

describe("a file", () => {
  test("is found by the words of its name, and shown with its newest version", async () => {
    const { world, ana, bo, writer } = await startBoardWithTasks();
    const name = "guides/release_notes-v2.final.md";
    await put(ana, name, { maintained: true });
    world.pass(5);
    const { id, latest } = await put(writer, name, { base: 1, text: "no such words" });
    const [seq, at] = [await headOf(ana), world.clock.now.toISOString()];
    const hit = { kind: "file", id, seq, at, name, maintained: true, latest } as const;
    expect(await hitsOf(bo, "NOTES")).toEqual([
      {
        ...hit,
        excerpt: {
          parts: [
            { text: "guides/release_", match: false },
            { text: "notes", match: true },
            { text: "-v2.final.md", match: false },
          ],
          more_before: false,
          more_after: false,
        },
      },
    ]);
    for (const q of ["guides", "release v2", "final.md", "guides/release", name, "guid*", "md"])
      expect(await filesFound(bo, q)).toMatchObject([hit]);
    for (const q of ["guide", "such words", "notes.release", "v3"])
      expect(await filesFound(bo, q)).toEqual([]);
  });

  test("is found by its name of now, where it was last written or renamed", async () => {
    const { world, ana } = await startBoardWithTasks();
    await put(ana, "draft.md");
    const seqs = async (q: string) => (await filesFound(ana, q)).map(({ seq }) => seq);
    const first = await headOf(ana);
    expect(await seqs("draft")).toEqual([first]);
    await rename(ana, "draft.md", "plan.md");
    expect([await seqs("draft"), await seqs("plan")]).toEqual([[], [first + 1]]);
    await put(ana, "plan.md", { base: 1, text: "more" });
    expect(await seqs("plan")).toEqual([first + 2]);
    // Neither is written nor renamed by these.
    await ana.call("updateFile", { ...file("plan.md"), body: { maintained: true } });
    await ana.call("approveFile", { ...file("plan.md"), body: { version: 2 } });
    const [hit] = await filesFound(ana, "plan");
    expect([hit!.seq, hit!.maintained]).toEqual([first + 2, true]);
    await checkIndex(world);
  });

  test("is found no more once it is removed; another of its name is", async () => {
    const { world, ana, bo } = await startBoardWithTasks();
    const { id } = await put(ana, "plan.md");
    await ana.call("removeFile", file("plan.md"));
    expect(await hitsOf(ana, "plan")).toEqual([]);
    const { id: other } = await put(bo, "plan.md");
    expect((await filesFound(ana, "plan")).map(({ id }) => id)).toEqual([other]);
    expect(other).not.toBe(id);
    await checkIndex(world);
  });

  test("that is the brief is one like others, in the format that it has", async () => {
    const { world, ana } = await startBoardWithTasks();
    const { id } = await put(ana, "brief.md", { brief: true });
    await put(ana, "brief.html", { brief: true, replace_format: true, file_id: id, base: 1 });
    expect(await names(ana, "brief")).toEqual(["brief.html"]);
    await checkIndex(world);
  });

  test("is found by every member at once, among tasks and messages", async () => {
    const { world, ana, writer, scout } = await startBoardWithTasks();
    await setPolicy(world, { visibility: "addressed" });
    await post(ana, "plan plan plan");
    await openTask(ana, "Make a plan for all of it");
    await put(writer, "plan.md");
    expect((await hitsOf(ana, "plan")).map(({ kind }): string => kind)).toEqual([
      "message",
      "file",
      "task",
    ]);
    world.indexing.stop();
    await put(ana, "plan-b.md");
    expect(await names(scout, "plan")).toEqual(["plan-b.md", "plan.md"]);
  });

  test("of another board is not found", async () => {
    const { world, ana } = await startBoardWithTasks();
    await ana.call("createBoard", { body: { name: "other" } });
    const query = { name: "plan.md" };
    await ana.upload({ params: { board: "other" }, query }, new Blob(["x"]));
    expect(await hitsOf(ana, "plan")).toEqual([]);
    await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
    await put(ana, "plan.md");
    const cy = await world.person("cy");
    expect(await verdictOf(hitsOf(cy, { q: "plan", kind: "file" }))).toBe("404 board_not_found");
  });
});

test("kinds and filters choose among files", async () => {
  const { world, ana, bo, writer } = await startBoardWithTasks();
  await personOnDocs(world, "eve");
  await openTask(ana, "A plan");
  await openTask(ana, "Another");
  await put(ana, "plan/ana.md", { about: ["1"] });
  const middle = await headOf(ana);
  await put(bo, "plan/bo.md", { about: ["1", "2"] });
  await put(writer, "plan/writer.md");
  await post(bo, "The plan");
  const all = (query: Partial<Query>) => names(ana, { q: "plan", ...query });
  const every = ["plan/ana.md", "plan/bo.md", "plan/writer.md"];
  expect(await all({})).toEqual(every);
  expect(await hitsOf(ana, { q: "plan", kind: "file" })).toHaveLength(3);
  for (const kind of ["message", "task"] as const) {
    expect(await all({ kind })).toEqual([]);
    expect(await hitsOf(ana, { q: "plan", kind })).toHaveLength(1);
  }
  expect(await all({ from: "bo" })).toEqual(["plan/bo.md"]);
  expect(await all({ from: "eve" })).toEqual([]);
  expect(await all({ role: "member" })).toEqual(["plan/writer.md"]);
  expect(await all({ to_me: true })).toEqual([]);
  expect(await all({ to_me: true, kind: "file" })).toEqual([]);
  expect(await all({ after: middle })).toEqual(every.slice(1));
  expect(await all({ before: middle + 1 })).toEqual(["plan/ana.md"]);
  expect(await all({ task: "1" })).toEqual(every.slice(0, 2));
  expect(await all({ task: "2" })).toEqual(["plan/bo.md"]);
  expect(await all({ task: "1", from: "ana" })).toEqual(["plan/ana.md"]);
  expect(await all({ task: "1", q: "pla*" })).toEqual(every.slice(0, 2));
  // Whoever wrote the newest version counts, and what it is about now.
  await put(writer, "plan/bo.md", { base: 1, text: "mine" });
  await bo.call("updateFile", { ...file("plan/ana.md"), body: { about: ["2"] } });
  expect(await all({ from: "bo" })).toEqual([]);
  expect(await all({ from: "writer" })).toEqual(every.slice(1));
  expect(await all({ task: "2" })).toContain("plan/ana.md");
  expect(await all({ task: "1" })).not.toContain("plan/ana.md");
});

test("a search for files finds what a scan of the list finds, page by page", async () => {
  const words = ["alpha", "Beta", "gamma"];
  const name = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 2 })
    .chain((parts) => fc.constantFrom(...["/", "_"].map((by) => parts.join(by))));
  const act = fc.record({
    what: fc.constantFrom("put", "put", "put", "rename", "rename", "remove"),
    who: fc.nat(2),
    name,
    other: name,
  });
  const question = fc.record({
    word: fc.constantFrom(...words),
    from: fc.option(fc.constantFrom("ana", "bo", "writer"), { nil: undefined, freq: 2 }),
    limit: fc.integer({ min: 1, max: 4 }),
  });
  const acts = fc.array(act, { minLength: 15, maxLength: 30, size: "max" });
  const questions = fc.array(question, { minLength: 6, maxLength: 6 });
  let seen = 0;
  const check = fc.asyncProperty(acts, questions, async (acts, questions) => {
    const { world, ana, bo, writer } = await startBoardWithTasks();
    for (const { what, who, name, other } of acts) {
      const by = [ana, bo, writer][who]!;
      const there = await ana.send("getFile", file(name));
      const base = there.status === 200 ? (there.data as { latest: { version: number } }) : null;
      if (what === "put") await put(by, name, { ...(base && { base: base.latest.version }) });
      else if (what === "remove") await by.send("removeFile", file(name));
      else await by.send("updateFile", { ...file(name), body: { name: other } });
    }
    const { files } = await ana.call("listFiles", { ...docs, query: { limit: 200 } });
    for (const { word, from, limit } of questions) {
      const hits: FileHit[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Output<Operations["searchBoard"]> = await writer.call("searchBoard", {
          ...docs,
          query: {
            q: word,
            kind: "file",
            limit,
            ...(from && { from }),
            ...(cursor && { cursor }),
          },
        });
        hits.push(...(page.hits as FileHit[]));
        cursor = page.next;
      }
      const expected = files
        .filter(({ latest }) => from === undefined || latest.by.name === from)
        .filter(({ name }) => name.split(/[/._-]/).includes(word));
      const byName = (all: readonly { name: string }[]) => all.map(({ name }) => name).toSorted();
      expect(byName(hits)).toEqual(byName(expected));
      for (const { id, latest } of hits)
        expect(expected.find((each) => each.id === id)!.latest).toEqual(latest);
      seen += hits.length;
    }
    await checkIndex(world);
    world.check();
    world.stop();
  });
  await fc.assert(check, tries(10));
  expect(seen).toBeGreaterThan(25);
}, 300_000);
