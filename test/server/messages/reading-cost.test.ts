import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { type World } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, post, seatOnDocs, setPolicy } from "../../support/boards/docs-board.ts";
import { openTask } from "../../support/boards/board-with-tasks.ts";
import { statementsOf, type Statement } from "../../support/statements.ts";

type Step = { id: number; parent: number; detail: string };

/** Steps of a statement's plan, as it is prepared, whose cost grows with the board and not with what is found. */
const widenings = (world: World, { text, values }: Statement): string[] =>
  world.db.read((tx) => {
    const steps = tx.all<Step>(`EXPLAIN QUERY PLAN ${text}`, ...values);
    const parents = new Map(steps.map((step) => [step.id, step]));
    const inMerge = ({ parent }: Step): boolean => {
      const above = parents.get(parent);
      return above !== undefined && (above.detail.startsWith("MERGE") || inMerge(above));
    };
    const made = new Set(steps.map(({ detail }) => /^CO-ROUTINE (.+)/.exec(detail)?.[1]));
    const isWide = (step: Step) => {
      const { detail } = step;
      const scanned = /^SCAN (\S+)/.exec(detail)?.[1];
      if (scanned !== undefined)
        return !/^(json_each|CONSTANT)$/.test(scanned) && !made.has(scanned);
      if (detail.startsWith("USE TEMP B-TREE")) return inMerge(step);
      // Messages to all and threads have an index that holds nothing else.
      if (/message_to_all|thread_by_last_reply/.test(detail)) return false;
      return /AUTOMATIC|message_of_sender \(sender_row=\?\)|\(\w+[<>]\?/.test(detail);
    };
    return steps.filter(isWide).map(({ detail }) => detail);
  });

/** A board of which agent `quiet` is shown little: most goes from ana to `busy`, with replies and reactions. */
async function bigBoard() {
  const { world, ana, bo } = await startDocs({}, { template: "writer-reviewer" });
  await seatOnDocs(world, "busy");
  const quiet = await seatOnDocs(world, "quiet", "reviewer");
  await setPolicy(world, { visibility: "addressed" });
  for (const title of ["the rare", "the common"]) await openTask(ana, title);
  const fill = async () => {
    for (let i = 0; i < 100; i++) {
      const { id } = await post(ana, { body: "x", to: ["@busy"], about: ["2"] });
      await post(ana, { body: "x", to: ["@busy"], reply_to: id });
      for (const reader of [ana, bo])
        await reader.call("addReaction", { params: { message: id, reaction: "eyes" } });
    }
  };
  for (let i = 0; i < 2; i++) {
    const { id } = await post(bo, { body: "for you", to: ["@quiet", "@ana"], about: ["1"] });
    await post(quiet, { body: "thanks", to: ["@bo"], reply_to: id });
    await fill();
  }
  const { id } = await post(bo, { body: "for you", to: ["role:reviewer"] });
  await post(quiet, { body: "thanks", to: ["@bo", "@ana"], reply_to: id });
  return { world, ana, bo, quiet };
}

const pageOf = (reader: Client, query: object) => () =>
  reader.call("listMessages", { ...docs, query });

test("a filtered page, a page of an agent that reads little and its threads walk along nothing that belongs to others", async () => {
  const { world, ana, bo, quiet } = await bigBoard();
  const readings: Record<string, () => Promise<unknown>> = {
    threads: () => quiet.call("listThreads", docs),
  };
  const filters = { role: "reviewer", from: "quiet", to_me: true, task: "2" };
  const given = Object.entries(filters);
  for (const newest of [false, true])
    for (let chosen = 0; chosen < 2 ** given.length; chosen++) {
      const by = Object.fromEntries(given.filter((_, bit) => chosen & (1 << bit)));
      const query = { ...by, newest, after: 3, before: 2000 };
      readings[`quiet ${JSON.stringify(query)}`] = pageOf(quiet, query);
      if (chosen === 0) continue;
      readings[`ana ${JSON.stringify(query)}`] = pageOf(ana, query);
      readings[`bo ${JSON.stringify(query)}`] = pageOf(bo, query);
    }
  const wide: Record<string, string[]> = {};
  for (const [name, work] of Object.entries(readings)) {
    const statements = await statementsOf(world, work);
    const ofMessages = statements.filter(({ text }) => /(FROM|JOIN) message /.test(text));
    expect(ofMessages.length).toBeGreaterThan(0);
    const found = ofMessages.flatMap((statement) => widenings(world, statement));
    if (found.length > 0) wide[name] = found;
  }
  expect(wide).toEqual({});
});

test("what is read for a page does not grow with what lies between its messages", async () => {
  const { world, ana, quiet } = await bigBoard();
  const readings = [
    pageOf(quiet, {}),
    pageOf(ana, { from: "quiet" }),
    pageOf(ana, { to_me: true, newest: true }),
    pageOf(ana, { task: "1" }),
    pageOf(quiet, { task: "1", newest: true }),
    pageOf(quiet, { task: "2" }),
    pageOf(ana, { task: "2", from: "quiet" }),
    pageOf(ana, { role: "reviewer", from: "quiet", to_me: true }),
    () => quiet.call("getInbox", {}),
    () => quiet.call("listThreads", docs),
    () => ana.call("listMessages", { ...docs, query: { limit: 3 } }),
  ];
  for (const work of readings) {
    const statements = await statementsOf(world, work);
    expect(statements.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(60);
  }
});
