import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import {
  answerWith,
  askOn,
  startBoardWithAsks,
  withdraw,
} from "../../support/boards/board-with-asks.ts";
import { listed, put } from "../../support/boards/board-with-files.ts";
import { docs, headOf, post, setPolicy } from "../../support/boards/docs-board.ts";
import { statementsOf, type Statement } from "../../support/statements.ts";
import { openTask } from "../../support/boards/board-with-tasks.ts";

/** Each file of docs with what a reader is told to have happened since it was written. */
const freshnessOf = async (reader: Client) =>
  new Map(
    (await reader.call("listFiles", { ...docs, query: { limit: 200 } })).files.map(
      ({ name, latest, freshness }) => [name, { seq: latest.seq, ...freshness }],
    ),
  );

/** The same by reading every message: which ones answer is told by a set of their ids. */
async function readFreshnessOf(reader: Client, answers: ReadonlySet<string>) {
  const { messages } = await reader.call("listMessages", { ...docs, query: { limit: 200 } });
  const files = await freshnessOf(reader);
  return new Map(
    [...files].map(([name, { seq, tasks_done_since }]) => {
      const since = messages.filter((message) => message.seq > seq);
      const answered = since.filter(({ id }) => answers.has(id));
      const counts = { messages_since: since.length, answers_since: answered.length };
      return [name, { seq, tasks_done_since, ...counts }];
    }),
  );
}

/** The stretches of the log that were counted, as their first and last seqs. */
const counted = (statements: readonly Statement[]) =>
  statements
    .filter(({ text }) => /^SELECT count.*(role_target|FROM answer)/.test(text))
    .map(({ values }) => values.slice(2, 4).map((place) => Number(place) % 2 ** 32));

test("what happened since a file is counted once for each reader, and then only what came since", async () => {
  const { world, ana, bo, writer, second, scout } = await startBoardWithAsks();
  const answers = new Set<string>();
  const readers = [ana, bo, writer, second, scout];
  const happen = async (name: string) => {
    await post(ana, { body: "x", to: ["@second"] });
    const ask = await askOn(writer, "@scout");
    answers.add((await answerWith(scout, ask, 1)).id);
    await put(ana, name);
    answers.add((await withdraw(writer, await askOn(writer, "@bo"))).id);
    await post(second, "to all");
  };
  for (let i = 0; i < 8; i++) await happen(`${i}.md`);
  const agree = async () => {
    for (const reader of readers) {
      const files = await freshnessOf(reader);
      expect(files).toEqual(await readFreshnessOf(reader, answers));
      expect(files.size).toBeGreaterThan(7);
    }
  };
  await agree();
  await setPolicy(world, { visibility: "addressed" });
  await agree();

  for (let i = 0; i < 3; i++) {
    const before = await headOf(ana);
    await happen(`new-${i}.md`);
    const head = await headOf(ana);
    for (const reader of [writer, second, scout]) {
      const stretches = counted(await statementsOf(world, () => freshnessOf(reader)));
      expect(stretches.length).toBeGreaterThan(0);
      for (const [from = 0] of stretches) expect(from).toBeGreaterThanOrEqual(before);
      // Once for what came, and once from the new file on; each counts messages and answers.
      const width = stretches.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0);
      expect(width).toBeLessThanOrEqual(4 * (head - before) + 4);
      expect(counted(await statementsOf(world, () => freshnessOf(reader)))).toEqual([]);
    }
    await agree();
  }
  await setPolicy(world, { visibility: "open" });
  await agree();
});

test("a list of few of many files looks at few", async () => {
  const { world, ana, writer } = await startBoardWithAsks();
  for (const title of ["rare", "common"]) await openTask(ana, title);
  await put(writer, "first.md", { about: ["1", "2"] });
  for (let i = 0; i < 300; i++) await put(ana, `${i}.md`, { about: ["2"] });
  await put(writer, "last.md", { about: ["2"] });
  const answers = {
    [JSON.stringify({ task: "1" })]: ["first.md"],
    [JSON.stringify({ task: "1", mine: true })]: ["first.md"],
    [JSON.stringify({ mine: true })]: ["last.md", "first.md"],
    [JSON.stringify({ task: "2", mine: true })]: ["last.md", "first.md"],
    [JSON.stringify({ task: "2", limit: 3 })]: ["last.md", "299.md", "298.md"],
  };
  for (const [query, names] of Object.entries(answers)) {
    const statements = await statementsOf(world, async () => {
      expect(await listed(writer, JSON.parse(query))).toEqual(names);
    });
    const ofFiles = statements.filter(({ text }) => /FROM file /.test(text));
    expect(ofFiles.length).toBeGreaterThan(0);
    for (const { text, values } of ofFiles) {
      const steps = world.db
        .read((tx) => tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values))
        .map(({ detail }) => detail);
      // Along the list it goes no further than the length of a page, and one more.
      if (steps.some((step) => /file_in_order/.test(step)))
        expect(values[4]).toBeLessThanOrEqual(51);
    }
  }
}, 20_000);
