import { expect, test } from "bun:test";
import { docs, makeDocs, post } from "../../support/boards/docs-board.ts";
import { leaksIn } from "../../support/log-leaks.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";

test("a log that holds a secret, a message or a file's name is found", async () => {
  const world = await startWorld({ mode: "team" });
  await makeDocs(world);
  await post(world.admin, 'We "sow" on Monday.\nNot before.');
  await world.admin.upload({ ...docs, query: { name: "harvest-plan.md" } }, new Blob(["x"]));
  const found = (line: unknown) => leaksIn(world.db, [...world.logged, line]);
  expect(found({ event: "request" })).toEqual([]);
  expect(world.logged.length).toBeGreaterThan(2);
  for (const line of [
    { message: `no key ${world.admin.token}` },
    { body: 'We "sow" on Monday.\nNot before.' },
    { path: "/v1/boards/docs/files/harvest-plan.md" },
  ])
    expect(found(line)).toHaveLength(1);
});
