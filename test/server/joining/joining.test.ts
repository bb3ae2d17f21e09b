import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, makeDocs, post } from "../../support/boards/docs-board.ts";
import { stored, verdictOf } from "../../support/raw-requests.ts";

interface Entry {
  readonly board?: string;
  readonly role?: string;
  readonly name?: string;
  readonly harness?: string;
  readonly session?: string;
}
const join = (client: Client, entry: Entry = {}) =>
  client.call("join", { body: { board: "docs", role: "member", ...entry } });

/** Docs, ana who owns it, and bo who is on it. */
const start = (board: Parameters<typeof makeDocs>[1] = {}) => startDocs({}, board);

describe("a new agent's name", () => {
  const namesOf = async (client: Client, entries: readonly Entry[]) => {
    const names = [];
    for (const entry of entries) names.push((await join(client, entry)).agent.name);
    return names;
  };

  test("is its harness's short name, else its role, numbered when taken", async () => {
    const { ana } = await start({ template: "writer-reviewer" });
    const entries = [
      { harness: "claude-code" },
      { harness: "claude-code", role: "writer" },
      { harness: "codex" },
      { harness: "My Harness 2.0" },
      { harness: "···", role: "writer" },
      { harness: "", role: "reviewer" },
      { role: "writer" },
      {},
    ];
    expect(await namesOf(ana, entries)).toEqual([
      "claude",
      "claude-2",
      "codex",
      "my-harness-2-0",
      "writer",
      "reviewer",
      "writer-2",
      "member",
    ]);
  });

  test("shows no harness where the board shows none", async () => {
    const { ana } = await start();
    await ana.call("updateBoard", { ...docs, body: { policy: { show_harness: false } } });
    const chosen = { name: "agent-2", harness: "codex" };
    const entries = [{ harness: "claude-code" }, chosen, { harness: "codex" }, {}];
    expect(await namesOf(ana, entries)).toEqual(["agent-1", "agent-2", "agent-3", "agent-4"]);
  });

  test("stays within 40 characters and skips people and ended seats", async () => {
    const { world, ana } = await start();
    const harness = "x".repeat(40);
    expect(await namesOf(ana, [{ harness }, { harness }])).toEqual([
      harness,
      `${"x".repeat(38)}-2`,
    ]);
    await (await world.seat(ana, "docs", { harness: "bo" })).call("leaveAsAgent");
    expect(await namesOf(ana, [{ harness: "bo" }])).toEqual(["bo-3"]);
  });

  test("may be chosen while it is free: a member's, a person's and an ended seat's are taken", async () => {
    const { world, ana, bo } = await start();
    const seat = await world.seat(ana, "docs", { name: "writer" });
    await seat.call("leaveAsAgent");
    for (const name of ["writer", "bo", "ana"])
      expect(await verdictOf(join(bo, { name }))).toBe("409 name_taken");
    for (const name of ["Writer", "-w", "x".repeat(41), "", "a_b"])
      expect(await verdictOf(join(bo, { name }))).toBe("400 invalid_request");
    expect((await join(bo, { name: "x".repeat(40) })).agent.name).toHaveLength(40);
  });
});

describe("joining by a board's name", () => {
  test("gives an agent that begins at the head, with a token of its own", async () => {
    const { world, ana } = await start();
    await post(ana, "earlier");
    const { agent, token, board } = await join(ana, { harness: "codex", session: "codex:abc" });
    expect(agent).toMatchObject({
      name: "codex",
      kind: "agent",
      role: "member",
      owner: "ana",
      harness: "codex",
      access: null,
      status: "active",
      presence: "no_session",
      delivery_mode: "focused",
    });
    expect(board).toMatchObject({ name: "docs", on_board: true });
    const codex = world.as(token);
    expect(await codex.call("getInbox")).toMatchObject({ messages: [], cursor: board.head_seq });
    expect(await codex.call("getBoard", docs)).toMatchObject({
      read_up_to: board.head_seq,
      unread: 0,
    });
    expect((await eventsOf(ana)).at(-1)).toMatchObject({
      type: "member.joined",
      actor: { kind: "human", name: "ana" },
      data: {
        member_id: agent.id,
        kind: "agent",
        owner: "ana",
        harness: "codex",
        join_code_id: null,
      },
    });
  });

  test("shows the session to nobody and keeps it out of the log", async () => {
    const { world, ana } = await start();
    const answer = await join(ana, { session: "codex:very-own" });
    const shown = [answer, await ana.call("listMembers", docs), await eventsOf(ana)];
    expect(JSON.stringify(shown)).not.toContain("very-own");
    const { event, seat_token } = await stored(world);
    expect(JSON.stringify(event)).not.toContain("very-own");
    expect(seat_token).toMatchObject([{ session: "codex:very-own" }]);
    for (const session of ["codex", "Codex:1", "codex:", "codex:a b", `codex:${"x".repeat(201)}`])
      expect(await verdictOf(join(ana, { session }))).toBe("400 invalid_request");
  });

  test("is for people on the board: a hidden board answers like a missing one, and an open one says how to join it", async () => {
    const { world } = await start({ visibility: "private" });
    const cy = await world.person("cy");
    const [hidden, missing] = [
      await refusalOf(join(cy)),
      await refusalOf(join(cy, { board: "dacs" })),
    ];
    expect(JSON.stringify(hidden).replaceAll("docs", "dacs")).toBe(JSON.stringify(missing));
    expect(hidden).toMatchObject({ status: 404, code: "board_not_found" });
    await world.admin.call("createBoard", { body: { name: "plaza" } });
    expect(await refusalOf(join(cy, { board: "plaza" }))).toMatchObject({
      status: 403,
      code: "not_on_board",
      hint: expect.stringContaining("`service join --board plaza`"),
    });
  });

  test("names the board's roles when there is no such role", async () => {
    const { ana } = await start({ template: "writer-reviewer" });
    const { status, code, hint } = await refusalOf(join(ana, { role: "editor" }));
    expect([status, code, hint]).toEqual([
      422,
      "role_not_found",
      "Its roles are member, reviewer, writer.",
    ]);
  });

  test("makes a new agent each time, of the same session too", async () => {
    const { world, ana } = await start();
    const entry = { session: "codex:1", harness: "codex" };
    const [one, two] = [await join(ana, entry), await join(ana, entry)];
    expect([one.agent.name, two.agent.name]).toEqual(["codex", "codex-2"]);
    expect((await world.as(one.token).call("getMe")).name).toBe("codex");
  });
});
