import { expect, test } from "bun:test";
import { eventTypes } from "../../../src/contract/log.ts";
import { fits } from "../../../src/contract/validate.ts";
import { brokenAt } from "../../support/log-chain.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { follow } from "../../support/follow-stream.ts";
import { eventsOf, headOf, post, setPolicy } from "../../support/boards/docs-board.ts";
import { markRestored } from "../../support/restores.ts";

test("a restore stands in every board's log, by nobody on it, and every member reads it", async () => {
  const { world, bo, a } = await startDocs({ a: "ana" });
  await bo.call("createBoard", { body: { name: "own", visibility: "private" } });
  await setPolicy(world, { visibility: "addressed" });
  const head = await headOf(bo);
  const generation = await markRestored(world.db);
  for (const [reader, board, seq] of [
    [a, "docs", head + 1],
    [bo, "own", 3],
  ] as const) {
    const events = await eventsOf(reader, board);
    expect(events.at(-1)).toMatchObject({
      seq,
      type: "board.rolled_back",
      actor: { kind: "system", member_id: null, name: null, owner: null },
      data: { generation, backup: "nightly", at: world.at() },
    });
    expect(fits(eventTypes()["board.rolled_back"], events.at(-1)!.data)).toBe(true);
    expect(brokenAt(events)).toBeNull();
  }
});

test("a restore in the log moves the head, and the next stream begins with the new generation", async () => {
  const { world, id, ana, bo } = await startDocs();
  const board = { board: "docs", board_id: id };
  const { seq } = await post(ana, "before");
  const following = await follow(bo);
  await following.next(2);
  const generation = await markRestored(world.db);
  expect(await following.next(1)).toEqual([{ event: "head", ...board, seq: seq + 1 }]);
  expect((await follow(bo)).hello).toEqual({ event: "hello", data: { generation } });
  expect((await bo.call("getInfo")).generation).toBe(generation);
  expect(following.hello).not.toEqual({ event: "hello", data: { generation } });
});
