import { expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf, startWorld } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, headOf, makeDocs, setRole } from "../../support/boards/docs-board.ts";
import { stored, verdictOf } from "../../support/raw-requests.ts";

const make = (client: Client, body: { ttl_seconds?: number; role?: string } = {}) =>
  client.call("createJoinCode", { ...docs, body: { role: "member", ...body } });
const revoke = (client: Client, join_code: string, board = "docs") =>
  client.call("revokeJoinCode", { params: { board, join_code } });
const join = (
  client: Client,
  entry: { code: string; name?: string; harness?: string; role?: string },
) => client.call("join", { body: entry });

/** Docs, ana who owns it, and bo who is on it. */
const start = (board: Parameters<typeof makeDocs>[1] = {}) => startDocs({}, board);

test("a code tells what it is once, with a line that says how to join", async () => {
  const { world, ana } = await start();
  const { code, join_line, ...record } = await make(ana);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{3}-[0-9A-HJKMNP-TV-Z]{3}$/);
  expect(join_line).toBe(`Join service board docs on localhost as member with code ${code}`);
  expect(record).toEqual({
    id: record.id,
    kind: "pairing",
    guest: null,
    board: "docs",
    role: "member",
    expires_at: world.at(86_400),
    created_at: world.clock.now.toISOString(),
    revoked_at: null,
    created_by: { name: "ana", kind: "human", role: null, owner: null },
  });
  expect(JSON.stringify(await stored(world))).not.toContain(code);
  expect((await eventsOf(ana)).at(-1)!.data).toEqual({
    join_code_id: record.id,
    role: "member",
    expires_at: record.expires_at,
  });
});

test("a line names a team's server by its host and another local port by its number", async () => {
  for (const [mode, url, shown] of [
    ["team", "https://boards.example.org", "boards.example.org"],
    ["team", "https://boards.example.org:8443", "boards.example.org:8443"],
    ["local", "http://127.0.0.1:7411", "localhost:7411"],
  ] as const) {
    const world = await startWorld({ mode, url });
    await makeDocs(world);
    const { code, join_line } = await make(world.admin);
    expect(join_line).toBe(`Join service board docs on ${shown} as member with code ${code}`);
  }
});

test("a code may be typed in any case, with or without its dash, with O for 0 and I or L for 1", async () => {
  const { ana } = await start();
  const codeWith = async (character: string) => {
    for (;;) {
      const { code } = await make(ana);
      if (code.includes(character)) return code;
    }
  };
  const [zero, one] = [await codeWith("0"), await codeWith("1")];
  for (const typed of [
    zero,
    zero.toLowerCase(),
    zero.replace("-", ""),
    ` ${zero.replace("-", " ")} `,
    zero.replaceAll("0", "O"),
    zero.replaceAll("0", "o"),
    [...zero].join(" "),
    one.replaceAll("1", "I"),
    one.replaceAll("1", "l"),
    one.replaceAll("1", "i").replace("-", ""),
  ])
    expect((await join(ana, { code: typed })).agent.role).toBe("member");
});

test("a code that is wrong, malformed, ended or revoked answers alike", async () => {
  const { world, ana } = await start();
  const revoked = await make(ana);
  await ana.call("revokeJoinCode", { params: { board: "docs", join_code: revoked.id } });
  const ended = await make(ana, { ttl_seconds: 60 });
  world.pass(60);
  const refusals = [];
  for (const code of ["000-000", "UUU-UUU", "", "12345", "1234567", revoked.code, ended.code])
    refusals.push(await refusalOf(join(ana, { code })));
  expect(refusals[0]).toMatchObject({ status: 404, code: "join_code_invalid" });
  for (const refusal of refusals) expect(refusal).toEqual(refusals[0]!);
});

test("a code works any number of times until its end, for its role alone", async () => {
  const { world, ana } = await start({ template: "writer-reviewer" });
  const { code, id } = await make(ana, { role: "reviewer", ttl_seconds: 604_800 });
  for (let times = 0; times < 3; times++)
    expect((await join(ana, { code, harness: "codex" })).agent.role).toBe("reviewer");
  expect((await eventsOf(ana)).at(-1)!.data).toMatchObject({ join_code_id: id });
  expect(await verdictOf(join(ana, { code, role: "writer" }))).toBe("400 invalid_request");
  world.pass(604_799.999);
  expect((await join(ana, { code, name: "late" })).agent.name).toBe("late");
  world.pass(0.001);
  expect(await verdictOf(join(ana, { code }))).toBe("404 join_code_invalid");
});

test("a code is for its maker's own sessions, and an agent's code for its person's", async () => {
  const { world, ana, bo } = await start();
  const writer = await world.seat(ana, "docs", { name: "writer" });
  const codes = [await make(ana), await make(writer)];
  expect(codes[1]!.created_by).toMatchObject({ name: "writer", kind: "agent", owner: "ana" });
  const cy = await world.person("cy");
  for (const { code } of codes) {
    expect((await join(ana, { code })).agent.owner).toBe("ana");
    for (const other of [bo, cy])
      expect(await verdictOf(join(other, { code }))).toBe("403 join_code_not_yours");
  }
  await writer.call("leaveAsAgent");
  expect(await verdictOf(join(ana, { code: codes[1]!.code }))).toBe("404 join_code_invalid");
});

test("an agent needs the permission to invite, and a role must be the board's", async () => {
  const { world, ana } = await start();
  const writer = await world.seat(ana, "docs");
  await setRole(world, "member", ["post"]);
  expect(await verdictOf(make(writer))).toBe("403 forbidden");
  expect((await make(ana)).kind).toBe("pairing");
  expect(await verdictOf(make(ana, { role: "editor" }))).toBe("422 role_not_found");
});

test("people on the board and the agent that made a code revoke it; a second time changes nothing", async () => {
  const { world, ana, bo } = await start();
  const scout = await world.seat(ana, "docs", { name: "scout" });
  const ranger = await world.seat(bo, "docs", { name: "ranger" });
  const codes = [await make(ana), await make(scout), await make(scout)];
  expect(await verdictOf(revoke(ranger, codes[1]!.id))).toBe("403 forbidden");
  for (const [index, client] of [bo, scout, bo].entries()) {
    const answer = await revoke(client, codes[index]!.id);
    expect(answer.revoked_at).toBe(world.clock.now.toISOString());
    expect(answer).not.toHaveProperty("code");
  }
  expect((await eventsOf(ana)).at(-1)).toMatchObject({
    type: "joincode.revoked",
    actor: { name: "bo" },
  });
  const head = await headOf(ana);
  const revokedAt = world.clock.now.toISOString();
  world.pass(60);
  expect((await revoke(ana, codes[0]!.id)).revoked_at).toBe(revokedAt);
  expect(await headOf(ana)).toBe(head);
});

test("a code of another board does not exist on this one, whoever asks", async () => {
  const { world, ana } = await start();
  const scout = await world.seat(ana, "docs", { name: "scout" });
  await ana.call("createBoard", { body: { name: "plaza" } });
  const { id } = await make(ana);
  expect(await verdictOf(revoke(ana, id, "plaza"))).toBe("404 join_code_not_found");
  for (const client of [ana, scout])
    expect(await verdictOf(revoke(client, `jc_${"0".repeat(26)}`))).toBe("404 join_code_not_found");
});
