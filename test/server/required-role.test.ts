import { describe, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { operationNamed, operationNames } from "../../src/contract/index.ts";
import { looksAtRole } from "../../src/server/access/required-role.ts";
import { rechecks } from "../../src/server/handlers.ts";
import { startDocs } from "../support/boards/docs-board-with-people.ts";
import { docs, headOf, setRole } from "../support/boards/docs-board.ts";
import { ask, stored } from "../support/raw-requests.ts";

/** Docs, which ana owns, with her agent writer; bo, who is on it; cy, who is not. */
async function start() {
  const { world, id, bo } = await startDocs();
  const cy = await world.person("cy");
  const writer = await world.seat(world.admin, "docs", { name: "writer" });
  const tried = async (
    client: Pick<Client, "call"> & { token: string },
    line: string,
    body?: object,
  ) => {
    const headers = { "idempotency-key": line };
    const { verdict, headers: heard } = await ask(world, line, {
      token: client.token,
      body,
      headers,
    });
    return heard["idempotent-replayed"] ? `${verdict}, again` : verdict;
  };
  return { world, id, ana: world.admin, bo, cy, writer, tried };
}

test("the table names what a request has, and asks for a role only where there is a board", () => {
  const wrong = operationNames.flatMap((name) => {
    const op = operationNamed(name);
    const has = (part: "params" | "body", field: string) =>
      Object.hasOwn((op[part]?.properties ?? {}) as object, field);
    const fields = [op.names, op.side].filter((each) => typeof each === "object");
    const looks = looksAtRole(op) || op.lifecycle !== undefined || op.permissionWith !== undefined;
    const problems = {
      "names what is not there": fields.some(({ in: part, name: field }) => !has(part, field)),
      "names no board": /board/.test(op.access) && !op.names && !has("params", "board"),
      "looks at a role of no board": looks && /^(anyone|caller|server-admin|seat)$/.test(op.access),
      "has no such property": [
        ...(op.forPeople ?? []),
        ...Object.keys(op.permissionWith ?? {}),
      ].some((field) => !has("body", field)),
      "has another permission without a first one": op.permissionWith && !op.permission,
      "is for oneself without a handle":
        op.orSelf && (op.access !== "owns-board" || !has("params", "handle")),
      "ends its board unseen": op.endsBoard && !Object.hasOwn(rechecks, name),
    };
    return Object.entries(problems).flatMap(([problem, is]) => (is ? `${name} ${problem}` : []));
  });
  expect(wrong).toEqual([]);
});

describe("with the same Idempotency-Key", () => {
  test("a refusal because of where the caller stands is not kept, wherever the board is named", async () => {
    const { world, id, ana, bo, cy, tried } = await start();
    const asking = {
      board_id: id,
      recipient_id: bo.id,
      work: "Review",
      initiating_agent_id: `mem_${"0".repeat(26)}`,
    };
    const requests = [
      ["POST /v1/boards/docs/messages", { body: "x" }, "201"],
      ["POST /v1/boards/docs/archive", undefined, "403 board_creator_required"],
      ["DELETE /v1/boards/docs/members/nobody", undefined, "404 agent_not_found"],
      ["POST /v1/pairing-requests", asking, "404 agent_not_found"],
    ] as const;
    for (const [line, body] of requests)
      expect([line, await tried(cy, line, body)]).toEqual([line, "403 not_on_board"]);
    expect((await stored(world))["kept_answer"]).toEqual([]);
    await ana.call("addPerson", { ...docs, body: { handle: "cy" } });
    for (const [line, body, verdict] of requests)
      expect([line, await tried(cy, line, body)]).toEqual([line, verdict]);
  });

  test("a refusal because of a role is kept, although the role has changed", async () => {
    const { world, ana, bo, writer, tried } = await start();
    await setRole(world, "member", []);
    const requests = [
      [bo, "POST /v1/boards/docs/owners", { handle: "ana" }, "403 owner_required"],
      [bo, "POST /v1/boards/docs/archive", undefined, "403 board_creator_required"],
      [bo, "PATCH /v1/boards/docs", { title: "x" }, "403 admin_required"],
      [writer, "POST /v1/boards/docs/messages", { body: "x" }, "403 forbidden"],
      [writer, "POST /v1/boards/docs/tasks", { title: "x" }, "403 forbidden"],
    ] as const;
    for (const [client, line, body, verdict] of requests)
      expect([line, await tried(client, line, body)]).toEqual([line, verdict]);
    await setRole(world, "member", ["post", "create_tasks"]);
    await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
    await ana.call("setServerRole", { params: { handle: "bo" }, body: { server_role: "admin" } });
    const head = await headOf(ana);
    for (const [client, line, body, verdict] of requests)
      expect([line, await tried(client, line, body)]).toEqual([line, `${verdict}, again`]);
    expect(await headOf(ana)).toBe(head);
  });

  test("a message of an agent that may not post any more is answered again: it was posted", async () => {
    const { world, writer, tried } = await start();
    const post = () => tried(writer, "POST /v1/boards/docs/messages", { body: "x" });
    expect(await post()).toBe("201");
    await setRole(world, "member", []);
    expect(await post()).toBe("201, again");
  });
});

describe("a role is looked at before the archive, and both before what the rule refuses", () => {
  test("for a task", async () => {
    const { world, ana, writer } = await start();
    const open = async (body: object) =>
      (await ask(world, "POST /v1/boards/docs/tasks", { token: writer.token, body })).verdict;
    await setRole(world, "member", ["create_tasks"]);
    expect(await open({ title: " " })).toBe("422 invalid_request");
    expect(await open({ title: " ", start: true })).toBe("403 forbidden");
    await ana.call("archiveBoard", docs);
    expect(await open({ title: "x", start: true })).toBe("403 forbidden");
    expect(await open({ title: " " })).toBe("409 board_archived");
  });

  test("for a board's title", async () => {
    const { world, ana, bo } = await start();
    const retitle = async ({ token }: { token: string }) =>
      (await ask(world, "PATCH /v1/boards/docs", { token, body: { title: "a\nb" } })).verdict;
    expect([await retitle(bo), await retitle(ana)]).toEqual([
      "403 admin_required",
      "422 invalid_request",
    ]);
  });
});
