import { expect, test } from "bun:test";
import fc from "fast-check";
import { archiveOf, partsOf } from "../../support/boards/board-archive.ts";
import { eventsOf } from "../../support/boards/docs-board.ts";
import { brokenLaws } from "../../support/database-laws.ts";
import { startWalk, step } from "../../support/random-walk/random-walk.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { tries } from "../../support/tries.ts";

test("whatever happened on a board, it can be imported, and every law holds there", async () => {
  let imported = 0;
  const check = fc.asyncProperty(
    fc.array(step, { minLength: 100, maxLength: 150, size: "max" }),
    async (steps) => {
      const walk = await startWalk();
      const { world } = walk;
      for (const each of steps) await walk.make(each);
      const target = await startWorld();
      target.clock.now = world.clock.now;
      const { boards } = await world.admin.call("listBoards", { query: { lifecycle: "all" } });
      for (const { name } of boards) {
        const parts = await partsOf(world, world.admin, name);
        await target.admin.importBoard({}, archiveOf(parts));
        const events = await eventsOf(target.admin, name);
        expect(events.slice(0, parts.events.length)).toMatchObject(parts.events as never);
        imported++;
      }
      expect(target.db.read(brokenLaws)).toEqual([]);
      target.check();
      target.stop();
      world.stop();
    },
  );
  await fc.assert(check, { ...tries(3), endOnFailure: true });
  expect(imported).toBeGreaterThan(0);
}, 60_000);
