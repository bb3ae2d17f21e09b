import { expect, test } from "bun:test";
import { operationNamed, type OperationName } from "../../src/contract/index.ts";
import { ask } from "./raw.ts";
import {
  all,
  each,
  forAgents,
  forBrowsers,
  forKeys,
  forNewcomers,
  lastly,
  made,
  verdicts,
  where,
  who,
  without,
} from "./classes.ts";
import { lineOf, nowhere, samples, setScene, type Scene } from "./scene.ts";

const hasBody = (name: OperationName) => operationNamed(name).method !== "GET";

test("every operation of the table is assigned who may make it and what its path names", () => {
  for (const assigned of [Object.values(who).flat(), Object.values(where).flat()])
    expect(assigned.sort()).toEqual([...all].sort());
  expect(Object.keys(samples).sort()).toEqual([...all].sort());
});

test("every operation's sample request succeeds with each kind of credential that may make it", async () => {
  const run = async (names: readonly string[], token: (scene: Scene) => string | undefined) => {
    const scene = await setScene();
    const presented = token(scene);
    const found = await verdicts(
      lastly(names),
      async (name) =>
        (await scene.sample(name, scene.docs, presented ? { token: presented } : {})).verdict,
    );
    scene.world.check();
    expect(found).toEqual(
      Object.fromEntries(names.map((name) => [name, made.includes(name) ? "201" : "200"])),
    );
  };
  await run(who.anyone, () => undefined);
  await run(without(forKeys, forNewcomers), (scene) => scene.ana.token);
  await run(forNewcomers, (scene) => scene.bo.token);
  await run(forBrowsers, (scene) => scene.browser);
  await run(forAgents, (scene) => scene.writer);
  await run(who.machines, (scene) => scene.machine);
});

test("without a credential every operation but the open ones is 401", async () => {
  const { world, sample, docs } = await setScene();
  const closed = without(all, who.anyone);
  const found = await verdicts(closed, async (name) => (await sample(name, docs)).verdict);
  expect(found).toEqual(each(closed, "401 unauthorized"));
  world.check();
});

test("a credential that does not work is 401 on every operation, open ones included", async () => {
  const { world, ana, sample, docs } = await setScene();
  const dead = await deadTokens();
  for (const [what, token] of Object.entries(dead)) {
    const found = await verdicts(
      all,
      async (name) => (await sample(name, docs, { token })).verdict,
    );
    expect({ what, ...found }).toEqual({ what, ...each(all, "401 unauthorized") });
  }
  for (const authorization of [
    "",
    "Bearer",
    "Bearer ",
    "Basic YW5hOng=",
    ana.token,
    "Bearer a b",
  ]) {
    const headers = { authorization };
    const found = await verdicts(
      all,
      async (name) => (await sample(name, docs, { headers })).verdict,
    );
    expect({ authorization, ...found }).toEqual({
      authorization,
      ...each(all, "401 unauthorized"),
    });
  }
  world.check();

  async function deadTokens() {
    const [lost, short] = [
      await ana.call("createKey", { body: { name: "lost" } }),
      await ana.call("createKey", { body: { name: "short", ttl_seconds: 3600 } }),
    ];
    const seats = [
      await world.seat(world.as(lost.token), "docs"),
      await world.seat(world.as(short.token), "docs"),
    ];
    await ana.call("revokeKey", { params: { key: lost.id } });
    world.pass(3600);
    return {
      unknownKey: `abh_${"x".repeat(43)}`,
      unknownAgent: `aba_${"x".repeat(43)}`,
      keyAsAgent: ana.token.replace("abh_", "aba_"),
      unknownPrefix: ana.token.replace("abh_", "abd_"),
      revoked: lost.token,
      expired: short.token,
      agentOfRevoked: seats[0]!.token,
      agentOfExpired: seats[1]!.token,
    };
  }
});

test("a kind of credential that an operation does not take gets its code, before the body is looked at", async () => {
  const { world, ana, writer, browser, sample, docs } = await setScene();
  const refusedTo = (token: string) => async (name: OperationName) => {
    const whole = await sample(name, docs, { token });
    const broken = await sample(name, docs, { token, ...(hasBody(name) && { body: "{" }) });
    return whole.text === broken.text ? whole.verdict : "differs";
  };
  const notForAgents = [...who.people, ...who.keyHolders, ...who.admins];
  expect(await verdicts(notForAgents, refusedTo(writer))).toEqual(
    each(notForAgents, "403 human_token_required"),
  );
  const notForBrowsers = [...who.keyHolders, ...who.admins];
  expect(await verdicts(notForBrowsers, refusedTo(browser))).toEqual(
    each(notForBrowsers, "403 human_token_required"),
  );
  for (const token of [ana.token, browser])
    expect(await verdicts(who.agents, refusedTo(token))).toEqual(
      each(who.agents, "403 agent_token_required"),
    );
  for (const token of [ana.token, writer])
    expect(await verdicts(who.browsers, refusedTo(token))).toEqual(
      each(who.browsers, "403 browser_session_required"),
    );
  world.check();
});

test("an operation for server admins is 403 for everybody else, and the hint names the admins", async () => {
  const { world, bo, sample, docs } = await setScene();
  for (const name of who.admins as OperationName[]) {
    const { verdict, text } = await sample(name, docs, { token: bo.token });
    expect(verdict).toBe("403 server_admin_required");
    expect(text).toContain("@ana");
  }
  world.check();
});

test("a hidden board and what is on it answer byte for byte like what does not exist", async () => {
  const { world, cy, scout, sample, secret } = await setScene();
  const names = without(all, where.nothing) as OperationName[];
  const compared = (token: string) => async (name: OperationName) => {
    const [hidden, missing] = [
      await sample(name, secret, { token }),
      await sample(name, nowhere, { token }),
    ];
    expect(hidden.headers).toEqual(missing.headers);
    expect(hidden.text.replaceAll("secret", "nowhere")).toBe(missing.text);
    return hidden.verdict;
  };
  const expected = (mine: readonly string[]) => ({
    ...each(without(mine, where.message), "404 board_not_found"),
    ...each(where.message, "404 message_not_found"),
  });
  expect(await verdicts(names, compared(cy.token))).toEqual(expected(names));
  const forScout = names.filter((name) => forAgents.includes(name));
  expect(await verdicts(forScout, compared(scout.token))).toEqual(expected(forScout));
  for (const member of ["keeper", `mem_${"0".repeat(26)}`]) {
    const [hidden, missing] = await Promise.all(
      [secret.boardId, nowhere.boardId].map((id) =>
        ask(world, `DELETE /v1/boards/${id}/members/${member}`, { token: cy.token }),
      ),
    );
    expect(hidden!.text.replaceAll(secret.boardId, nowhere.boardId)).toBe(missing!.text);
  }
  world.check();
});

test("for an agent an open board that is not its own is a missing one", async () => {
  const { world, herald, sample, docs } = await setScene();
  const names = without(all, where.nothing).filter((name) => forAgents.includes(name));
  const found = await verdicts(
    names,
    async (name) => (await sample(name, docs, { token: herald })).verdict,
  );
  expect(found).toEqual({
    ...each(without(names, where.message), "404 board_not_found"),
    ...each(where.message, "404 message_not_found"),
  });
  world.check();
});

test("a person who is not on an open board sees it and its people, and reaches nothing else of it", async () => {
  const { world, cy, sample, docs } = await setScene();
  const names = without(all, where.nothing);
  const found = await verdicts(
    names,
    async (name) => (await sample(name, docs, { token: cy.token })).verdict,
  );
  expect(found).toEqual({
    ...each(where.boardSeen, "200"),
    addPerson: "403 not_on_board",
    ...each(where.boardJoined, "403 not_on_board"),
    ...each(where.message, "404 message_not_found"),
  });
  const { text } = await sample("listMembers", docs, { token: cy.token });
  expect(text).toContain("`service join --board docs`");
  world.check();
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
    ...["GET /v1/nothing", "PATCH /v1/me", "HEAD /v1/me", "GET /v1/openapi.json", "DELETE /v1/"],
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
  world.check();
});
