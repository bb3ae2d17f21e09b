import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import {
  docs,
  eventsOf,
  headOf,
  post,
  seatOnDocs,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { statementsOf } from "../../support/statements.ts";
import { refusalOf, type World } from "../../support/servers/server-in-process.ts";

interface Window {
  after?: number;
  before?: number;
  newest?: boolean;
  limit?: number;
}
const pageOf = (reader: Client, query: Window) => reader.call("listEvents", { ...docs, query });

/** A board whose log has messages that one of its agents may not read. */
async function storied() {
  const { world, ana, bo } = await startDocs();
  const agent = await seatOnDocs(world, "a");
  await setPolicy(world, { visibility: "addressed" });
  const { id } = await post(ana, { body: "for bo", to: ["@bo"] });
  await bo.call("addReaction", { params: { message: id, reaction: "tada" } });
  await post(bo, { body: "for a", to: ["@a"] });
  return { world, ana, bo, agent };
}

test("a page in any window has its oldest or newest events, in order and withheld alike, and says where to go on", async () => {
  const { ana, agent } = await storied();
  const head = await headOf(ana);
  for (const reader of [ana, agent]) {
    const log = await eventsOf(reader);
    expect(log.some(({ data_withheld }) => data_withheld)).toBe(reader === agent);
    for (let after = 0; after <= head + 1; after++)
      for (let before = 1; before <= head + 2; before++)
        for (const newest of [false, true])
          for (const limit of [1, 3]) {
            const page = await pageOf(reader, { after, before, newest, limit });
            const inside = log.filter(({ seq }) => seq > after && seq < before);
            const expected = newest ? inside.slice(-limit) : inside.slice(0, limit);
            expect(page.events).toEqual(expected);
            const [first, last] = [expected[0]?.seq ?? 1, expected.at(-1)?.seq ?? head];
            expect([page.head_seq, page.next_after, page.prev_before]).toEqual([
              head,
              last < head ? last : null,
              first > 1 ? first : null,
            ]);
          }
  }
});

test("a log is read back from its head, page by page", async () => {
  const { ana, agent } = await storied();
  for (const reader of [ana, agent])
    for (let limit = 1; limit < 5; limit++) {
      let {
        events,
        prev_before: before,
        next_after,
      } = await pageOf(reader, { newest: true, limit });
      expect(next_after).toBeNull();
      while (before !== null) {
        const page = await pageOf(reader, { before, newest: true, limit });
        events = [...page.events, ...events];
        before = page.prev_before;
      }
      expect(events).toEqual(await eventsOf(reader));
    }
});

/** Changes the log behind the server's back. */
const tamper = (world: World, sql: string, seq: number) =>
  world.db.write((tx) =>
    tx.run(`${sql} (SELECT place + ? FROM event ORDER BY place LIMIT 1)`, seq - 1),
  );
const verdict = async (reader: Client, query: Window) => {
  const { status, code, details } = await refusalOf(pageOf(reader, query));
  return [status, code, details];
};

test("a page back from the head ends at damage, and reading on over it is refused", async () => {
  const { world, ana } = await storied();
  const head = await headOf(ana);
  await tamper(world, "UPDATE event SET data = 'null' WHERE place =", 4);
  const page = await pageOf(ana, { newest: true });
  expect(page.events.map(({ seq }) => seq)).toEqual(
    Array.from({ length: head - 4 }, (_, index) => index + 5),
  );
  expect([page.next_after, page.prev_before]).toEqual([null, 5]);
  const refused = [500, "record_damaged", { seq: 4, reason: "data_hash_mismatch" }];
  expect(await verdict(ana, { newest: true, before: 5 })).toEqual(refused);
  expect(await verdict(ana, { after: 3 })).toEqual(refused);
  // What lies before the damage can still be read.
  expect((await pageOf(ana, { newest: true, before: 4 })).events).toHaveLength(3);
});

test("the newest page of a log that has lost its end says that more follows, which is refused", async () => {
  const { world, ana } = await storied();
  const lost = await headOf(ana);
  await tamper(world, "DELETE FROM event WHERE place =", lost);
  const page = await pageOf(ana, { newest: true, limit: 2 });
  expect(page).toMatchObject({ head_seq: lost - 1, next_after: lost - 1, prev_before: lost - 2 });
  const refused = [500, "record_damaged", { seq: lost, reason: "seq_gap" }];
  expect(await verdict(ana, { after: lost - 1 })).toEqual(refused);
  expect(await verdict(ana, { after: lost - 1, newest: true })).toEqual(refused);
  expect((await pageOf(ana, { after: 2, before: 3 })).events).toEqual([]);
});

test("what is read for a page of the log grows with the page, not with the log", async () => {
  const { world, ana, agent } = await storied();
  for (let i = 0; i < 150; i++) await post(ana, { body: "x", to: ["@bo"] });
  const head = await headOf(ana);
  const windows: Window[] = [
    { newest: true },
    { newest: true, before: 100 },
    { newest: true, after: 5 },
    { after: 50, before: 100 },
  ];
  for (const reader of [ana, agent])
    for (const window of windows) {
      const work = () => pageOf(reader, { ...window, limit: 3 });
      const statements = await statementsOf(world, work);
      const rows = statements.reduce((sum, one) => sum + one.rows, 0);
      expect(rows).toBeGreaterThanOrEqual(3);
      expect(rows).toBeLessThan(25);
    }
  expect(head).toBeGreaterThan(150);
});
