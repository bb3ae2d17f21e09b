import { expect, test } from "bun:test";
import type { OutputOf } from "../../../src/contract/index.ts";
import { countTables } from "../../../src/server/numbers/table-counts.ts";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../../support/boards/docs-board.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { untilTrue } from "../../support/wait-until.ts";

type Numbers = OutputOf<"getNumbers">;
const valueOf = ({ figures }: Numbers, name: string) =>
  figures.find((figure) => figure.name === name)?.value;
/** The figures that change between two looks, with by how much. */
const growth = (before: Numbers, after: Numbers, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [name, valueOf(after, name)! - (valueOf(before, name) ?? 0)]),
  );
const answeredOf = ({ requests }: Numbers, operation: string, status: string) =>
  requests.find((one) => one.operation === operation && one.status === status)?.count ?? 0;

test("counters follow what a server does, by operation and class of status", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const ben = await personOnDocs(world, "ben");
  const before = await world.admin.call("getNumbers");
  await Promise.all([post(ben, "One."), post(ben, "Two."), post(world.admin, "Three.")]);
  await ben.call("getNumbers").catch(() => undefined);
  await ben.call("getBoard", { params: { board: "nowhere" } }).catch(() => undefined);
  const after = await world.admin.call("getNumbers");
  expect(growth(before, after, ["posts_total"])).toEqual({ posts_total: 3 });
  const { commit_writes_total: writes } = growth(before, after, ["commit_writes_total"]);
  expect(writes).toBeGreaterThanOrEqual(3);
  // Posts at one time share a commit.
  expect(after.commits.count - before.commits.count).toBeLessThan(writes!);
  expect(after.commits.seconds).toBeGreaterThan(before.commits.seconds);
  expect(answeredOf(after, "postMessage", "2xx")).toBe(3);
  expect(answeredOf(after, "getNumbers", "4xx")).toBe(1);
  expect(answeredOf(after, "getBoard", "4xx")).toBe(1);
  expect(after.started_at).toBe(before.started_at);
});

test("a limit's refusals are counted, and a wait while it lasts", async () => {
  const world = await startWorld({ rateScale: 1, mode: "team" });
  await makeDocs(world);
  const scout = await seatOnDocs(world, "scout");
  for (let i = 0; i < 12; i++)
    await world
      .as()
      .call("connect", { body: { invite: "abi_none", handle: "eve", key_name: "x" } as never })
      .catch(() => undefined);
  const waiting = scout.call("getInbox", { query: { wait: 5 } });
  const figureNow = async (name: string) => valueOf(await world.admin.call("getNumbers"), name);
  await untilTrue(async () => (await figureNow("waiting_requests")) === 1, "the wait is counted");
  expect(await figureNow("rate_limited_total")).toBeGreaterThan(0);
  await post(world.admin, { body: "Go.", to: ["@scout"] });
  await waiting;
  expect(await figureNow("waiting_requests")).toBe(0);
});

test("what the tables know is counted anew when something was written a minute after the last count", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const ben = await personOnDocs(world, "ben");
  await seatOnDocs(world, "scout");
  const idle = await seatOnDocs(world, "idle");
  await post(ben, { body: "Which?", to: ["@scout"], ask: { options: ["A", "B"] } });
  const answered = await post(ben, { body: "When?", to: ["@idle"], ask: {} });
  await post(idle, { body: "Now.", reply_to: answered.id });
  await idle.call("ackInbox", { body: { up_to: answered.seq + 1 } });
  await ben.upload({ ...docs, query: { name: "a.md" } }, new Blob(["12345"]));
  await ben.upload({ ...docs, query: { name: "b.md" } }, new Blob(["12345"]));
  const counted = async () => {
    const numbers = await world.admin.call("getNumbers");
    return numbers.counted_at === null ? null : numbers;
  };
  await untilTrue(async () => (await counted()) !== null, "the tables are counted");
  const first = (await counted())!;
  const tables = ["asks_open", "seats_with_unread", "deliveries_waiting", "files_bytes"];
  expect(growth({ ...first, figures: [] }, first, tables)).toEqual({
    asks_open: 1,
    seats_with_unread: 1,
    deliveries_waiting: 0,
    files_bytes: 5,
  });

  await ben.upload({ ...docs, query: { name: "c.md" } }, new Blob(["123"]));
  expect(valueOf((await counted())!, "files_bytes")).toBe(5);
  world.clock.now = new Date(+world.clock.now + 61_000);
  await untilTrue(
    async () => valueOf((await counted())!, "files_bytes") === 8,
    "they are counted again",
  );
});

test("counting gives way to other work after each slice", async () => {
  const world = await startWorld();
  await makeDocs(world);
  await seatOnDocs(world, "scout");
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  const counts = await countTables({
    ...world.db,
    // Each look at the tables takes longer than a slice may.
    read: (work) =>
      world.db.read((tx) =>
        work({
          ...tx,
          all(sql, ...values) {
            Bun.sleepSync(6);
            return tx.all(sql, ...values);
          },
        }),
      ),
  });
  clearInterval(other);
  expect(counts.seatsWithUnread).toBe(0);
  expect(turns).toBeGreaterThan(0);
});
