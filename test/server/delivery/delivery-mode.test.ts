import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { eventsOf, headOf, makeDocs, personOnDocs } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

test("only an agent's own person says what wakes it, owner and admin included", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const [bo, cy] = [await personOnDocs(world, "bo"), await personOnDocs(world, "cy")];
  await world.seat(cy, "docs", { name: "ranger" });
  const set = (client: Client, member: string, mode: "focused" | "all" | "off" = "all") =>
    client.call("setDeliveryMode", { params: { board: "docs", member }, body: { mode } });
  expect(await set(cy, "ranger", "focused")).toMatchObject({ revision: 0, changed: false });
  const { revision, changed } = await set(cy, "ranger");
  expect([revision, changed]).toEqual([await headOf(cy), true]);
  expect((await eventsOf(cy)).at(-1)!.data).toMatchObject({ before: "focused", after: "all" });
  expect(await set(cy, "ranger")).toEqual({
    board: "docs",
    agent: "ranger",
    mode: "all",
    revision,
    changed: false,
  });
  for (const client of [bo, world.admin]) {
    const { status, code, hint } = await refusalOf(set(client, "ranger"));
    expect([status, code, hint]).toEqual([
      403,
      "agent_owner_required",
      "Ask @cy, whose agent it is.",
    ]);
  }
  for (const member of ["cy", "nobody"])
    expect(await verdictOf(set(cy, member))).toBe("404 agent_not_found");
  await cy.call("removeAgent", { params: { board: "docs", member: "ranger" } });
  expect(await verdictOf(set(cy, "ranger"))).toBe("404 agent_not_found");
});
