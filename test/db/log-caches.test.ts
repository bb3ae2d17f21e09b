import { expect, test } from "bun:test";
import { createLogCaches } from "../../src/db/engine/log-caches.ts";
import { openDatabase } from "../../src/db/engine/database.ts";

const counted = {
  role: null,
  readsAll: false,
  upTo: 2,
  total: { messages: 1, tasksClosed: 0, answers: 0 },
  until: new Map(),
};
const posted = (body: string) => ({ at: "2026-01-01T00:00:00.000Z", data: { body } as never });

test("the caches of the log keep values under the same key apart, and share one budget", () => {
  const caches = createLogCaches(100);
  caches.posted.keep(1, posted("first"), 40);
  caches.counted.keep(1, counted, 40);
  expect(caches.posted.recall(1)).toEqual(posted("first"));
  expect(caches.counted.recall(1)).toEqual(counted);
  expect(caches.rendered.recall(1)).toBeUndefined();

  // Kept again, a value counts once and is the newest.
  caches.posted.keep(1, posted("again"), 50);
  caches.rendered.keep(1, [], 30);
  expect(caches.counted.recall(1)).toBeUndefined();
  expect(caches.posted.recall(1)).toEqual(posted("again"));

  caches.counted.keep(2, counted, 101);
  expect([caches.posted.recall(1), caches.rendered.recall(1), caches.counted.recall(2)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a write recalls what a read kept, and keeps nothing itself", async () => {
  const db = openDatabase(":memory:");
  db.read((tx) => tx.logCaches.counted.keep(1, counted, 1));
  const recalled = await db.write((tx) => {
    tx.logCaches.counted.keep(2, counted, 1);
    return tx.logCaches.counted.recall(1);
  });
  expect(recalled).toEqual(counted);
  expect(db.read((tx) => tx.logCaches.counted.recall(2))).toBeUndefined();
  db.close();
});

test("a change that is sent as a question is refused: the row cache would not hear of it", async () => {
  const db = openDatabase(":memory:");
  const change = "UPDATE board SET title = NULL RETURNING row";
  for (const way of ["get", "all", "each"] as const)
    await expect(db.write((tx) => tx[way](change))).rejects.toThrow("run() or insert()");
  db.close();
});
