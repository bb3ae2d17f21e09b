import { expect, test } from "bun:test";
import { laterOperations } from "../../../src/contract/not-implemented.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { guestOn, makeDocs } from "../../support/boards/docs-board.ts";
import { ask } from "../../support/raw-requests.ts";

const approval = `apr_${"0".repeat(26)}`;

test("an operation that is not provided is 501 for its callers, and others get the usual refusal", async () => {
  const world = await startWorld();
  await makeDocs(world);
  const { admin: ana } = world;
  const agent = await world.seat(ana, "docs");
  const guest = await guestOn(world, "gus");
  const { token: machine } = await ana.call("createDelegation", { body: { name: "box" } });
  const verdicts: Record<string, string[]> = {};
  const dead = `abh_${"x".repeat(43)}`;
  for (const { op } of laterOperations) {
    const line = `${op.method} ${op.path.replace(":approval", approval)}`;
    const tried = async (token?: string) =>
      (await ask(world, line, token === undefined ? {} : { token })).verdict;
    verdicts[line] = [
      await tried(ana.token),
      await tried(agent.token),
      await tried(guest.token),
      await tried(machine),
      await tried(dead),
      await tried(),
    ];
  }
  const others = ["403 forbidden", "401 unauthorized", "401 unauthorized"];
  const rest = ["403 guest_not_allowed", ...others];
  const [none, people] = ["501 not_implemented", "403 human_token_required"];
  expect(verdicts).toEqual({
    "GET /v1/me/invite-notices": [none, people, ...rest],
    "GET /v1/me/approvals": [none, none, ...rest],
    [`POST /v1/me/approvals/${approval}/allow`]: [none, people, ...rest],
    [`POST /v1/me/approvals/${approval}/decline`]: [none, people, ...rest],
    "POST /v1/me/admin-requests": [
      "403 agent_token_required",
      none,
      "403 agent_token_required",
      ...others,
    ],
  });
  expect((await ask(world, "DELETE /v1/me/approvals", { token: ana.token })).verdict).toBe(
    "404 not_found",
  );
});
