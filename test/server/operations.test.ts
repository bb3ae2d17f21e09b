import { expect, test } from "bun:test";
import type { OperationName } from "../../src/contract/index.ts";
import { ask } from "../support/raw-requests.ts";
import {
  all,
  forAgents,
  forBrowsers,
  forKeys,
  forNewcomers,
  lastly,
  made,
  madeWith,
  verdicts,
  who,
  without,
} from "../support/access-matrix/operations-by-class.ts";
import { lineOf, setScene, type Scene } from "../support/boards/boards-with-one-of-everything.ts";

test("every operation's sample request succeeds with each kind of credential that may make it", async () => {
  const run = async (names: readonly string[], token: (scene: Scene) => unknown) => {
    const scene = await setScene();
    const presented = (await token(scene)) as string | undefined;
    const found = await verdicts(
      lastly(names),
      async (name) =>
        (await scene.sample(name, scene.docs, presented ? { token: presented } : {})).verdict,
    );
    expect(found).toEqual(
      Object.fromEntries(names.map((name) => [name, made.includes(name) ? madeWith(name) : "200"])),
    );
  };
  await run(who.anyone, () => undefined);
  await run(without(forKeys, forNewcomers), (scene) => scene.ana.token);
  await run(forNewcomers, (scene) => scene.bo.token);
  await run(forBrowsers, (scene) => scene.browser);
  await run(forAgents, (scene) => scene.writer);
  await run(who.machines, (scene) => scene.machine);
  await run(who.pairings, (scene) => scene.pair());
});

test("an operation for server admins is 403 for everybody else, and the hint names the admins", async () => {
  const { bo, sample, docs } = await setScene();
  for (const name of who.admins as OperationName[]) {
    const { verdict, text } = await sample(name, docs, { token: bo.token });
    expect(verdict).toBe("403 server_admin_required");
    expect(text).toContain("@ana");
  }
});

test("an agent whose seat has ended gets 403 agent_removed with four details from everything it sends", async () => {
  const { world, ana, writer, docs } = await setScene();
  world.pass(5);
  await ana.call("removeAgent", { params: { board: "docs", member: "writer" } });
  const error = {
    code: "agent_removed",
    message: expect.any(String),
    hint: expect.stringContaining("can add a new agent"),
    details: {
      agent: "writer",
      board: "docs",
      removed_at: world.clock.now.toISOString(),
      removed_by: "person",
    },
  };
  const lines = [
    ...(all as OperationName[]).map((name) => lineOf(name, docs)),
    ...(all as OperationName[]).map((name) => lineOf(name, docs, "surprise=1")),
    "GET /v1/nothing",
    "PATCH /v1/me",
    "HEAD /v1/me",
    "GET /v1/openapi.json",
    "DELETE /v1/",
  ];
  for (const line of lines)
    for (const body of line.startsWith("GET") || line.startsWith("HEAD")
      ? [undefined]
      : ["{", "[]"])
      for (const headers of [{}, { "idempotency-key": "any" }]) {
        const { status, text } = await ask(world, line, { token: writer, body, headers });
        expect(`${line} ${status}`).toBe(`${line} 403`);
        // The answer to a HEAD has no body.
        if (!line.startsWith("HEAD")) expect(JSON.parse(text)).toEqual({ error });
      }
});
