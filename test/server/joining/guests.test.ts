import { describe, expect, test } from "bun:test";
import type { OperationName } from "../../../src/contract/index.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import {
  all,
  each,
  forAgents,
  forKeys,
  lastly,
  made,
  rowOf,
  verdicts,
  where,
  without,
} from "../../support/access-matrix/operations-by-class.ts";
import { follow } from "../../support/follow-stream.ts";
import { docs, eventsOf, guestCodeFor, guestOn, post } from "../../support/boards/docs-board.ts";
import { ask, verdictOf } from "../../support/raw-requests.ts";
import { nowhere, setScene } from "../../support/boards/boards-with-one-of-everything.ts";

/** Ana's items are no guest's. */
const ofItems: readonly string[] = ["snoozeAttention", "endSnooze", "dismissAttention"];
const noItem = "404 attention_not_found";

/** What operations come to on an open board for a guest with a key, or their agent, by the handwritten table. */
const comingTo = (names: readonly string[], credential: "guest" | "guestAgent") =>
  Object.fromEntries(
    names.map((name) => {
      const row = rowOf(name, credential);
      const verdict = typeof row === "string" ? row : row[0];
      if (ofItems.includes(name)) return [name, verdict === "ok" ? noItem : verdict];
      return [name, verdict !== "ok" ? verdict : made.includes(name) ? "201" : "200"];
    }),
  );

/** The scene with gus, a guest on docs with one agent. */
async function start() {
  const scene = await setScene();
  const gus = await guestOn(scene.world, "gus");
  return { ...scene, gus };
}

describe("a guest", () => {
  test("reads, posts and keeps their own bookkeeping; everything else is 403 guest_not_allowed", async () => {
    const { gus, sample, docs: at } = await start();
    const names = [...without(lastly(forKeys), ["leaveBoard"]), "leaveBoard"];
    const found = await verdicts(
      names,
      async (name) => (await sample(name, at, { token: gus.token })).verdict,
    );
    expect(found).toEqual(comingTo(names, "guest"));
  });

  test("is not told that they may remove their agent: they may not", async () => {
    const { ana, gus } = await start();
    const shown = (await gus.call("listMembers", docs)).members;
    expect(shown.find(({ id }) => id === gus.agent.id)?.can_remove).toBe(false);
    expect(shown.filter(({ can_remove }) => can_remove)).toEqual([]);
    const { members } = await ana.call("listMembers", docs);
    expect(members.find(({ id }) => id === gus.agent.id)?.can_remove).toBe(true);
  });

  test("and so does their agent", async () => {
    const { gus, sample, docs: at } = await start();
    const names = lastly(forAgents);
    const found = await verdicts(
      names,
      async (name) => (await sample(name, at, { token: gus.agent.token })).verdict,
    );
    expect(found).toEqual(comingTo(names, "guestAgent"));
  });

  test("gets the same answer for boards they are not on, open ones included, as for boards that do not exist", async () => {
    const { world, ana, gus, sample, secret, herald } = await start();
    const { boards } = await world.as(herald).call("listBoards");
    const { seq, id } = await post(ana, "elsewhere").then(() =>
      ana.call("postMessage", { params: { board: "plaza" }, body: { body: "there" } }),
    );
    const plaza = {
      ...nowhere,
      board: "plaza",
      boardId: boards[0]!.id,
      message: id,
      seq,
      agent: "herald",
      invite: secret.invite,
      key: secret.key,
    };
    const compared = (token: string, at: typeof plaza) => async (name: OperationName) => {
      const [hidden, missing] = [
        await sample(name, at, { token }),
        await sample(name, nowhere, { token }),
      ];
      expect(hidden.headers).toEqual(missing.headers);
      expect(hidden.text.replaceAll(at.board, "nowhere")).toBe(missing.text);
      return hidden.verdict;
    };
    for (const at of [plaza, secret])
      for (const [token, mine] of [
        [gus.token, forKeys],
        [gus.agent.token, forAgents],
      ] as const) {
        const names = without(all, where.nothing).filter((name) => mine.includes(name));
        expect(await verdicts(names, compared(token, at))).toEqual({
          ...each(without(names, where.message), "404 board_not_found"),
          ...each(where.message, "404 message_not_found"),
        });
        for (const line of [
          `DELETE /v1/boards/${at.boardId}/members/${at.agent}`,
          `POST /v1/boards/${at.boardId}/archive`,
          `POST /v1/boards/${at.boardId}/delete`,
        ]) {
          if (token === gus.agent.token && !line.endsWith("archive")) continue;
          const [hidden, missing] = [
            await ask(world, line, { token }),
            await ask(world, line.replace(at.boardId, nowhere.boardId), { token }),
          ];
          expect(hidden.verdict).toBe("404 board_not_found");
          expect(hidden.text.replaceAll(at.boardId, nowhere.boardId)).toBe(missing.text);
        }
        const join = (board: string) =>
          ask(world, "POST /v1/join", { token, body: { board, role: "member" } });
        if (token === gus.token)
          expect((await join(at.board)).text).toBe(
            (await join("nowhere")).text.replaceAll("nowhere", at.board),
          );
      }
  });

  test("makes no agents but by codes: naming the board is refused, a pairing code is not theirs", async () => {
    const { world, ana, gus } = await start();
    expect(await verdictOf(world.seat(gus, "docs"))).toBe("403 guest_not_allowed");
    const { code } = await ana.call("createJoinCode", { ...docs, body: { role: "member" } });
    expect(await verdictOf(gus.call("join", { body: { code } }))).toBe("403 join_code_not_yours");
  });

  test("lists their own boards alone, however they ask", async () => {
    const { ana, gus } = await start();
    for (const query of [{}, { all: true }, { all: true, lifecycle: "all" as const }]) {
      const answer = await gus.call("listBoards", { query });
      expect(answer.boards.map(({ name }) => name)).toEqual(["docs"]);
      expect(answer.hidden_boards ?? []).toEqual([]);
    }
    const { boards } = await gus.call("listBoards");
    expect(boards[0]).toMatchObject({ can_archive: false, can_restore: false, can_delete: false });
    await ana.call("removePerson", { params: { board: "docs", handle: "gus" } });
    expect(await gus.call("listBoards", { query: { all: true } })).toMatchObject({
      boards: [],
      archived_count: 0,
      hidden_boards: [],
    });
  });

  test("looks nobody up, and is found by nobody but on their boards", async () => {
    const { bo, gus, scout } = await start();
    for (const handle of ["ana", "gus"])
      for (const client of [gus, gus.agent])
        expect(await verdictOf(client.call("listServerPeople", { query: { handle } }))).toBe(
          "403 guest_not_allowed",
        );
    const [guest, nobody] = [
      await refusalOf(bo.call("listServerPeople", { query: { handle: "gus" } })),
      await refusalOf(scout.call("listServerPeople", { query: { handle: "nil" } })),
    ];
    expect(guest).toEqual(JSON.parse(JSON.stringify(nobody).replaceAll("nil", "gus")));
    const { people } = await gus.agent.call("listPeople", docs);
    expect(people.map(({ handle, server_role }) => [handle, server_role])).toContainEqual([
      "gus",
      "guest",
    ]);
  });

  test("their agent does what its role grants on the board, and what guests may not stays refused", async () => {
    const { ana, gus } = await start();
    await ana.call("updateBoard", { ...docs, body: { policy: { preset: "recommended" } } });
    const { body, from } = await post(gus.agent, { body: "hello", to: ["@ana"], urgent: false });
    expect([body, from.owner]).toEqual(["hello", "gus"]);
    expect(
      await verdictOf(gus.agent.call("createJoinCode", { ...docs, body: { role: "member" } })),
    ).toBe("403 guest_not_allowed");
    expect(await verdictOf(gus.agent.call("addPerson", { ...docs, body: { handle: "dee" } }))).toBe(
      "403 guest_not_allowed",
    );
  });

  test("is not added to a board and never owns one, and the refusals say what to do", async () => {
    const { ana, bo, gus } = await start();
    const plaza = { params: { board: "plaza" } };
    const { hint, ...refused } = await refusalOf(
      ana.call("addPerson", { ...plaza, body: { handle: "gus" } }),
    );
    expect(refused).toMatchObject({ status: 409, code: "person_is_guest" });
    expect(hint).toContain("`service invite --guest gus --board plaza`");
    expect(await verdictOf(ana.call("addPerson", { ...docs, body: { handle: "gus" } }))).toBe(
      "409 already_on_board",
    );
    const raise = (handle: string) => ana.call("addOwner", { ...docs, body: { handle } });
    expect(await verdictOf(raise("gus"))).toBe("409 person_is_guest");
    expect(await verdictOf(bo.call("addOwner", { ...docs, body: { handle: "gus" } }))).toBe(
      "403 owner_required",
    );
    await ana.call("archiveBoard", plaza);
    expect(await verdictOf(ana.call("addPerson", { ...plaza, body: { handle: "gus" } }))).toBe(
      "409 person_is_guest",
    );
    await ana.call("archiveBoard", docs);
    expect(await verdictOf(raise("gus"))).toBe("409 board_archived");
    expect(gus.handle).toBe("gus");
  });

  test("an owner does not leave a board to guests, and guests stay when it turns private", async () => {
    const { world, ana } = await start();
    await ana.call("createBoard", { body: { name: "studio" } });
    const studio = { params: { board: "studio" } };
    const eve = await guestOn(world, "eve", "studio");
    await guestCodeFor(ana, "gus", { board: "studio" });
    expect(await verdictOf(ana.call("leaveBoard", studio))).toBe("409 last_owner");
    const change = await ana.call("setVisibility", { ...studio, body: { visibility: "private" } });
    expect(change.join_codes_canceled).toBe(1);
    expect((await eve.call("getBoard", studio)).visibility).toBe("private");
    expect((await eve.agent.call("getBoard", studio)).on_board).toBe(true);
  });

  test("leaves with all their agents, and is taken off by an owner likewise", async () => {
    const { ana, gus } = await start();
    expect(await gus.call("leaveBoard", docs)).toMatchObject({
      handle: "gus",
      board_role: "member",
    });
    expect(await verdictOf(gus.agent.call("getMe"))).toBe("403 agent_removed");
    expect(await verdictOf(gus.call("listMessages", docs))).toBe("404 board_not_found");
    expect((await eventsOf(ana)).at(-1)).toMatchObject({
      type: "person.left",
      data: { agents: [gus.agent.id] },
    });
    expect((await gus.call("getMe")).server_role).toBe("guest");
  });

  test("a repeat of what they posted is refused once they are off the board", async () => {
    const { ana, gus } = await start();
    const say = (client: typeof gus | typeof gus.agent) =>
      client.send("postMessage", { ...docs, body: { body: "hi" } }, { idempotencyKey: "once" });
    for (const client of [gus, gus.agent]) expect((await say(client)).status).toBe(201);
    await ana.call("removePerson", { params: { board: "docs", handle: "gus" } });
    expect(await say(gus)).toMatchObject({ data: { error: { code: "board_not_found" } } });
    expect(await say(gus.agent)).toMatchObject({ data: { error: { code: "agent_removed" } } });
  });

  test("their key starts their agents' tokens: both are over when it ends", async () => {
    const { world, gus } = await start();
    world.pass(90 * 86_400 - 1);
    await gus.agent.call("getMe");
    // The use of a key is written after the answer.
    await world.db.write(() => null);
    world.pass(90 * 86_400 - 1);
    expect((await gus.call("getMe")).name).toBe("gus");
    await world.db.write(() => null);
    world.pass(90 * 86_400);
    for (const client of [gus, gus.agent])
      expect(await verdictOf(client.call("getMe"))).toBe("401 unauthorized");
  });

  test("follows their boards alone, one that a code brings while it is open included", async () => {
    const { ana, gus } = await start();
    const stream = await follow(gus);
    await stream.next(2);
    await ana.call("postMessage", { params: { board: "plaza" }, body: { body: "not for gus" } });
    await ana.call("createBoard", { body: { name: "later" } });
    await post(ana, "for gus");
    expect(await stream.next(2)).toEqual([
      expect.objectContaining({ event: "head", board: "docs" }),
      expect.objectContaining({ event: "unread", board: "docs", unread: 1 }),
    ]);
    const { code } = await guestCodeFor(ana, "gus", { board: "later" });
    await gus.call("join", { body: { code } });
    const told = await stream.next(2);
    expect(new Set(told.map((each) => "board" in each && each.board))).toEqual(new Set(["later"]));
    stream.leave();
  });
});
