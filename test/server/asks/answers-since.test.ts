import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import {
  answerWith,
  askOn,
  startBoardWithAsks,
  withdraw,
} from "../../support/boards/board-with-asks.ts";
import { file, put } from "../../support/boards/board-with-files.ts";
import { docs, post, setPolicy } from "../../support/boards/docs-board.ts";

/** How many answers followed the newest version of a file, as far as a reader may read them. */
const answersSince = async (reader: Client, name = "a") =>
  (await reader.call("getFile", file(name))).freshness.answers_since;

test("answers, each one anew, and withdrawals follow a version; asks and other replies do not", async () => {
  const { ana, bo, writer } = await startBoardWithAsks();
  const early = await askOn(writer, "@bo");
  await answerWith(bo, early, 2);
  await put(ana, "a");
  expect(await answersSince(ana)).toBe(0);
  const ask = await askOn(writer, "@bo");
  await post(ana, { body: "a note", to: ["@bo"] });
  await post(ana, { body: "another note", reply_to: (await post(bo, "?")).id });
  expect(await answersSince(ana)).toBe(0);
  await post(bo, { body: "in words", reply_to: ask.id });
  await answerWith(ana, early, 1);
  expect(await answersSince(ana)).toBe(2);
  await withdraw(writer, ask);
  await put(ana, "b");
  await answerWith(bo, early, 1);
  expect([await answersSince(ana), await answersSince(ana, "b")]).toEqual([4, 1]);
  await put(ana, "a", { base: 1, text: "two" });
  expect(await answersSince(ana)).toBe(0);
});

test("answers on another board are not counted, and an approving answer is one", async () => {
  const { ana, bo, writer } = await startBoardWithAsks();
  await put(ana, "a");
  await bo.call("createBoard", { body: { name: "plaza" } });
  const plaza = { params: { board: "plaza" } };
  await bo.call("addPerson", { ...plaza, body: { handle: "ana" } });
  const there = await bo.call("postMessage", {
    ...plaza,
    body: { body: "Which?", to: ["@ana"], ask: {} },
  });
  await ana.call("postMessage", { ...plaza, body: { body: "This.", reply_to: there.id } });
  expect(await answersSince(ana)).toBe(0);
  const ask = await post(writer, {
    body: "Is it right?",
    files: [{ file: "a" }],
    to: ["@bo"],
    ask: { options: ["Approve"], approval: true },
  });
  await answerWith(bo, ask, 1);
  expect(await answersSince(ana)).toBe(1);
});

test("a reader of addressed messages alone is shown the answers that they may read", async () => {
  const { world, ana, bo, cy, writer, second, scout } = await startBoardWithAsks();
  await put(ana, "a");
  await put(ana, "brief.md", { brief: true });
  const ask = await askOn(writer, "@scout");
  await answerWith(scout, ask, 1);
  const readers = [ana, bo, cy, writer, second, scout];
  const seen = () => Promise.all(readers.map((reader) => answersSince(reader)));
  expect(await seen()).toEqual([1, 1, 1, 1, 1, 1]);
  await setPolicy(world, { visibility: "addressed" });
  expect(await seen()).toEqual([1, 1, 1, 1, 0, 1]);
  await withdraw(writer, ask);
  const briefs = await Promise.all(
    readers.map(async (reader) => (await reader.call("getBoard", docs)).brief!.freshness),
  );
  expect(briefs.map(({ answers_since }) => answers_since)).toEqual([2, 2, 2, 2, 0, 2]);
});
