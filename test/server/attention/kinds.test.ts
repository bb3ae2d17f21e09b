import { describe, expect, test } from "bun:test";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { attentionOf, followList, inTime, itemOf, kindsFor } from "../../support/attention.ts";
import { answerWith, askOn, withdraw } from "../../support/boards/board-with-asks.ts";
import { docs, guestOn, post } from "../../support/boards/docs-board.ts";
import { put } from "../../support/boards/board-with-files.ts";

/** Docs with ana and bo, ana's agents writer and second, and bo's agent scout. Bo has seen that he was put there. */
async function team() {
  const { world, id, bo, writer, second, scout } = await startDocs({
    writer: "ana",
    second: "ana",
    scout: "bo",
  });
  for (const { id } of (await attentionOf(bo)).items)
    await bo.call("dismissAttention", { params: { item: id } });
  return { world, id, ana: world.admin, bo, writer, second, scout };
}
type Team = Awaited<ReturnType<typeof team>>;

const say = (by: Team["ana"] | Team["writer"], body: string, to: string, more = {}) =>
  post(by, { body, to: [to], ...more });
const ackAll = async ({ bo }: Team) => {
  const { head_seq } = await bo.call("getBoard", docs);
  await bo.call("ackBoard", { ...docs, body: { up_to: head_seq } });
};

/** For each kind: what brings it to bo's list, and every act that ends it. */
const causes: Record<
  string,
  {
    begin(team: Team): Promise<unknown>;
    ends: Record<string, (team: Team, cause: never) => unknown>;
  }
> = {
  ask: {
    begin: ({ writer }) => askOn(writer, "@bo"),
    ends: {
      "an answer": ({ bo }, ask: never) => answerWith(bo, ask, 1),
      "an answer of the asking agent's person": ({ ana }, ask: never) => answerWith(ana, ask, 2),
      "a withdrawal": ({ writer }, ask: never) => withdraw(writer, ask),
      "an archive": ({ ana }) => ana.call("archiveBoard", docs),
      "taking bo off the board": ({ ana }) =>
        ana.call("removePerson", { params: { board: "docs", handle: "bo" } }),
    },
  },
  approval_ask: {
    async begin({ writer }) {
      await put(writer, "plan.md");
      return await post(writer, {
        body: "Good?",
        to: ["@bo"],
        files: [{ file: "plan.md" }],
        ask: { options: ["Yes", "No"], approval: true },
      });
    },
    ends: { "an answer": ({ bo }, ask: never) => answerWith(bo, ask, 1) },
  },
  reply_wanted: {
    begin: ({ writer }) => say(writer, "When?", "@bo", { expects_reply: true }),
    ends: {
      "a reply": ({ bo }, { id }: never) => post(bo, { body: "Now.", reply_to: id }),
      "leaving the board": ({ bo }) => bo.call("leaveBoard", docs),
    },
  },
  mention: {
    begin: ({ ana }) => post(ana, "Ask @bo about it."),
    ends: {
      reading: ackAll,
      "a dismissal": async ({ bo }) =>
        bo.call("dismissAttention", { params: { item: (await itemOf(bo, "mention")).id } }),
    },
  },
  pairing: {
    async begin({ ana, bo, id, writer }) {
      const body = { board_id: id, recipient_id: bo.id, initiating_agent_id: writer.id };
      return await ana.call("createPairingRequest", { body: { ...body, work: "Review" } });
    },
    ends: {
      "declining it": ({ bo }, { id }: never) =>
        bo.call("declinePairingRequest", { params: { pairing: id } }),
      "cancelling it": ({ ana }, { id }: never) =>
        ana.call("cancelPairingRequest", { params: { pairing: id } }),
    },
  },
  machine_request: {
    begin: ({ world }) =>
      world.as().call("startMachineRequest", { body: { handle: "bo", label: "phone" } }),
    ends: {
      // The stream tells of machines once a minute.
      "approving it": async ({ world, bo }, { code }: never) => {
        world.pass(60);
        await bo.call("approveMachineRequest", { body: { code } });
      },
      "refusing it": async ({ world, bo }, { code }: never) => {
        world.pass(60);
        await bo.call("refuseMachineRequest", { body: { code } });
      },
    },
  },
  agent_waiting: {
    begin: ({ scout }) => scout.call("setPresence", { body: { presence: "waiting" } }),
    ends: {
      "another presence": ({ scout }) =>
        scout.call("setPresence", { body: { presence: "working" } }),
      "the end of the seat": ({ scout }) => scout.call("leaveAsAgent"),
    },
  },
};

describe.each(Object.keys(causes))("%s", (kind) => {
  const { begin, ends } = causes[kind]!;
  test.each(Object.keys(ends))("comes with its cause and goes with %s", async (act) => {
    const all = await team();
    const list = await followList(all.world, all.bo);
    let cause: unknown;
    expect(await list.after(async () => (cause = await begin(all)))).toEqual([kind]);
    if (kind !== "pairing") expect(await kindsFor(all.ana)).toEqual([]);
    expect(await list.after(() => ends[act]!(all, cause as never))).toEqual([]);
  });
});

describe("by time alone", () => {
  test("an ask goes when its asker goes on without an answer", async () => {
    const { world, bo, writer } = await team();
    await askOn(writer, "@bo", { going_with: "this", going_at: world.at(600) });
    const { before, last } = inTime(world, 600);
    before();
    const list = await followList(world, bo);
    expect(await kindsFor(bo)).toEqual(["ask"]);
    expect(await list.after(last)).toEqual([]);
  });

  test("an agent's question is late after half an hour, and its reply ends that", async () => {
    const { world, ana, bo, scout } = await team();
    const { id } = await say(ana, "Where is it?", "@scout", { expects_reply: true });
    const { before, last } = inTime(world, 1800);
    before();
    const list = await followList(world, bo);
    expect(await kindsFor(bo)).toEqual([]);
    expect(await list.after(last)).toEqual(["agent_late"]);
    expect((await itemOf(bo, "agent_late")).title).toBe("@scout has not answered for half an hour");
    expect(await list.after(() => post(scout, { body: "Here.", reply_to: id }))).toEqual([]);
  });

  test("an ask to an agent is late too, until it is answered", async () => {
    const { world, ana, bo, scout } = await team();
    const ask = await askOn(ana, "@scout");
    world.pass(1800);
    const list = await followList(world, bo);
    expect(await kindsFor(bo)).toEqual(["agent_late"]);
    expect(await list.after(() => answerWith(scout, ask, 1))).toEqual([]);
  });

  test("a message is not delivered after ten minutes, one item for all agents, until they have received it", async () => {
    const { world, bo, writer, second } = await team();
    const { seq } = await post(bo, {
      body: "Stop!",
      to: ["@writer", "@second"],
      urgent: true,
    });
    await say(bo, "No hurry", "@writer");
    const { before, last } = inTime(world, 600);
    before();
    const list = await followList(world, bo);
    expect(await list.after(last)).toEqual(["not_delivered"]);
    expect(await itemOf(bo, "not_delivered")).toMatchObject({
      title: "@writer and @second have not received your message",
      text: "Stop!",
      from: null,
      ref: { seq, agents: [{ name: "writer" }, { name: "second" }] },
    });
    expect(await list.after(() => writer.call("ackInbox", { body: { up_to: seq } }))).toEqual([
      "not_delivered",
    ]);
    expect((await itemOf(bo, "not_delivered")).from).toMatchObject({ name: "second" });
    expect(await list.after(() => second.call("leaveAsAgent"))).toEqual([]);
  });

  test.each([
    ["a word", ({ scout }: Team) => post(scout, "still here")],
    ["an event", ({ scout }: Team) => scout.call("createTask", { ...docs, body: { title: "x" } })],
    [
      "a presence",
      ({ scout }: Team) => scout.call("setPresence", { body: { presence: "working" } }),
    ],
    [
      "closing the task",
      ({ bo }: Team) =>
        bo.call("finishTask", { params: { board: "docs", task: "1" }, body: { note: "Done." } }),
    ],
  ])("an agent at work is silent after half an hour, until %s", async (_, sign) => {
    const all = await team();
    const { world, bo, scout } = all;
    await scout.call("createTask", { ...docs, body: { title: "Write it", start: true } });
    const { before, last } = inTime(world, 1800);
    before();
    const list = await followList(world, bo);
    expect(await list.after(last)).toEqual(["agent_silent"]);
    expect(await itemOf(bo, "agent_silent")).toMatchObject({
      from: { name: "scout" },
      text: "Write it",
      ref: { task: { title: "Write it" } },
    });
    expect(await list.after(() => sign(all))).toEqual([]);
  });

  test("an agent without a task in progress is never silent, and one that reports is not", async () => {
    const { world, bo, scout } = await team();
    await scout.call("setPresence", { body: { presence: "working" } });
    world.pass(1800);
    expect(await kindsFor(bo)).toEqual([]);
    await scout.call("createTask", { ...docs, body: { title: "Write it", start: true } });
    for (let minutes = 0; minutes < 31; minutes++) {
      world.pass(60);
      await scout.call("setPresence", { body: { presence: "working" } });
    }
    expect(await kindsFor(bo)).toEqual([]);
    await scout.call("setPresence", { body: { presence: "no_session" } });
    for (let minutes = 0; minutes < 30; minutes++) {
      world.pass(60);
      await scout.call("setPresence", { body: { presence: "no_session" } });
    }
    expect(await kindsFor(bo)).toEqual(["agent_silent"]);
  });

  test("a report that an agent waits lapses after three minutes", async () => {
    const { world, bo, scout } = await team();
    await scout.call("setPresence", { body: { presence: "waiting" } });
    const { before, last } = inTime(world, 180);
    before();
    const list = await followList(world, bo);
    expect(await kindsFor(bo)).toEqual(["agent_waiting"]);
    expect(await list.after(last)).toEqual([]);
  });

  test("a machine's request and a pairing request go when they expire", async () => {
    const { world, id, ana, bo, writer } = await team();
    const body = { board_id: id, recipient_id: bo.id, initiating_agent_id: writer.id };
    await ana.call("createPairingRequest", { body: { ...body, work: "Review" } });
    world.pass(24 * 3600 - 300);
    await world.as().call("startMachineRequest", { body: { handle: "bo", label: "phone" } });
    const { before, last } = inTime(world, 300);
    before();
    const list = await followList(world, bo);
    expect(await kindsFor(bo)).toEqual(["pairing", "machine_request"]);
    expect(await list.after(last)).toEqual([]);
  });
});

test("a pairing request goes at once from a recipient off its board when that turns private", async () => {
  const { world, id, ana, writer } = await team();
  const cy = await world.person("cy");
  const body = { board_id: id, recipient_id: cy.id, initiating_agent_id: writer.id };
  await ana.call("createPairingRequest", { body: { ...body, work: "Review" } });
  await cy.call("leaveBoard", docs);
  const list = await followList(world, cy, 0);
  expect(await kindsFor(cy)).toEqual(["pairing"]);
  expect(
    await list.after(() => ana.call("setVisibility", { ...docs, body: { visibility: "private" } })),
  ).toEqual([]);
});

describe("an item", () => {
  test("of an ask is now where a task stands still, and offers its options", async () => {
    const { world, bo, writer } = await team();
    await writer.call("createTask", { ...docs, body: { title: "Print it", start: true } });
    const { id, seq } = await askOn(writer, "@bo", { body: "Which?", options: ["A", "B"] });
    world.pass(1);
    await askOn(writer, "@bo", { going_with: "A", going_at: world.at(60) });
    const { items, counts } = await attentionOf(bo);
    expect(items.map(({ urgency }) => urgency)).toEqual(["now", "later"]);
    expect(counts).toEqual({ now: 1, later: 1 });
    expect(items[0]).toMatchObject({
      id: `ask.${id}`,
      board: "docs",
      from: { name: "writer" },
      title: "@writer asks you, and DOC-1 stands still",
      text: "Which?",
      ref: { message_id: id, seq, task: { ref: "DOC-1" } },
      actions: [
        {
          name: "answerAsk",
          options: ["A", "B"],
          command: `service ask --answer ${seq} --option K --board docs`,
        },
        { name: "open" },
      ],
    });
  });

  test("of an ask is later once the task that stood still is closed", async () => {
    const { world, ana, bo, writer } = await team();
    await writer.call("createTask", { ...docs, body: { title: "Print it", start: true } });
    await askOn(writer, "@bo");
    const list = await followList(world, bo);
    const finish = () =>
      ana.call("finishTask", { params: { board: "docs", task: "1" }, body: { note: "Done." } });
    expect(await list.after(finish)).toEqual(["ask"]);
    expect(await itemOf(bo, "ask")).toMatchObject({
      urgency: "later",
      title: "@writer asks you, and waits",
      ref: { task: { ref: "DOC-1" } },
    });
  });

  test("of an approval says when there is a newer version", async () => {
    const all = await team();
    const list = await followList(all.world, all.bo);
    await list.after(() => causes["approval_ask"]!.begin(all));
    expect((await itemOf(all.bo, "approval_ask")).title).toBe(
      "@writer asks you to approve plan.md version 1",
    );
    await list.after(() => put(all.writer, "plan.md", { base: 1, text: "Two" }));
    expect((await itemOf(all.bo, "approval_ask")).title).toBe(
      "@writer asks you to approve plan.md version 1; there is a newer version 2 of plan.md",
    );
  });

  test("of an urgent question is now, and a mention in it makes no second one", async () => {
    const { ana, bo } = await team();
    await say(ana, "@bo, now!", "@bo", { expects_reply: true, urgent: true });
    await askOn(ana, "@bo", { body: "And this, @bo?" });
    expect((await attentionOf(bo)).items.map(({ kind, urgency }) => [kind, urgency])).toEqual([
      ["reply_wanted", "now"],
      ["ask", "later"],
    ]);
  });

  test("of a message is over with a reply to it, though nobody acknowledged it", async () => {
    const { world, ana, bo, scout } = await team();
    const question = await say(ana, "When, @bo?", "@bo", { expects_reply: true });
    const ask = await askOn(ana, "@bo", { body: "Which, @bo?" });
    const mention = await post(ana, "Good morning, @bo");
    const order = await say(bo, "Stop!", "@scout", { urgent: true });
    world.pass(600);
    expect(await kindsFor(bo)).toEqual(["ask", "mention", "not_delivered", "reply_wanted"]);
    await post(bo, { body: "Now.", reply_to: question.id });
    await answerWith(bo, ask, 1);
    expect(await kindsFor(bo)).toEqual(["mention", "not_delivered"]);
    const list = await followList(world, bo);
    const greet = () => post(bo, { body: "Good morning!", reply_to: mention.id });
    expect(await list.after(greet)).toEqual(["not_delivered"]);
    const obey = () => post(scout, { body: "Stopped.", reply_to: order.id });
    expect(await list.after(obey)).toEqual([]);
  });

  test("is not made by an agent's mention, nor by one that was read", async () => {
    const { ana, bo, writer } = await team();
    await post(writer, "@bo!");
    expect(await kindsFor(bo)).toEqual([]);
    const { seq } = await post(ana, "@bo!");
    await post(ana, "@bo again!");
    await bo.call("ackBoard", { ...docs, body: { up_to: seq } });
    expect((await itemOf(bo, "mention")).text).toBe("@bo again!");
  });

  test("has at most 500 characters of what a member wrote, and control characters as they are", async () => {
    const { ana, bo } = await team();
    await post(ana, `@bo \u001b[31m${"😀".repeat(600)}`);
    const { text } = await itemOf(bo, "mention");
    expect([...text]).toHaveLength(500);
    expect(text.startsWith("@bo \u001b[31m😀")).toBe(true);
    expect(text.endsWith("😀…")).toBe(true);
  });

  test("of machines is one for all of them, with their number and the newest", async () => {
    const { world, bo } = await team();
    for (const label of ["one", "two"])
      await world.as().call("startMachineRequest", { body: { handle: "bo", label } });
    expect(await itemOf(bo, "machine_request")).toMatchObject({
      title: "2 machines ask for a key in your name",
      text: expect.stringContaining("two") as string,
      board: null,
      urgency: "later",
      actions: [{ name: "command", command: "service approve CODE" }],
    });
  });

  test("of an agent that waits says where its session is", async () => {
    const { bo, scout } = await team();
    await scout.call("setPresence", { body: { presence: "waiting" } });
    await scout.call("setAgentLocation", {
      body: { harness: "codex", session_id: "s1", folder: "/home/bo/work" },
    });
    expect((await itemOf(bo, "agent_waiting")).text).toBe("codex on machine, in /home/bo/work");
  });
});

test("whoever is put on a board is told so until they have read there, and whoever comes by themselves is not", async () => {
  const { world, ana, bo } = await startDocs();
  expect(await itemOf(bo, "added_to_board")).toMatchObject({
    from: { name: "ana" },
    title: "@ana put you on docs",
  });
  const { seq } = await post(ana, "welcome");
  const list = await followList(world, bo);
  expect(await list.after(() => bo.call("ackBoard", { ...docs, body: { up_to: seq } }))).toEqual(
    [],
  );
  const cy = await world.person("cy");
  await cy.call("addPerson", { ...docs, body: { handle: "cy" } });
  expect(await kindsFor(cy)).toEqual([]);
  const again = await followList(world, cy);
  await cy.call("leaveBoard", docs);
  expect(
    await again.after(() => ana.call("addPerson", { ...docs, body: { handle: "cy" } })),
  ).toEqual(["added_to_board"]);
});

test("two people who are asked have an item each, and an answer ends one of them", async () => {
  const { ana, bo, scout } = await team();
  const both = { body: "Ready?", to: ["@ana", "@bo"], expects_reply: true };
  const { id } = await post(scout, both);
  expect([await kindsFor(ana), await kindsFor(bo)]).toEqual([["reply_wanted"], ["reply_wanted"]]);
  await post(ana, { body: "Yes.", reply_to: id });
  expect([await kindsFor(ana), await kindsFor(bo)]).toEqual([[], ["reply_wanted"]]);
});

test("one list has the items of all boards, the most urgent and oldest first, and a browser has the same", async () => {
  const { world, ana, bo, writer } = await team();
  await ana.call("createBoard", { body: { name: "other", visibility: "private" } });
  await ana.call("addPerson", { params: { board: "other" }, body: { handle: "bo" } });
  await bo.call("ackBoard", { params: { board: "other" }, body: { up_to: 3 } });
  world.pass(1);
  await post(ana, "@bo");
  world.pass(1);
  const inOther = { params: { board: "other" } };
  await ana.call("postMessage", { ...inOther, body: { body: "first, @bo" } });
  world.pass(1);
  await say(writer, "Now?", "@bo", { expects_reply: true, urgent: true });
  const { items } = await attentionOf(bo);
  expect(items.map(({ kind, board }) => `${kind} ${board}`)).toEqual([
    "reply_wanted docs",
    "added_to_board other",
    "mention docs",
    "mention other",
  ]);
  const { code } = await bo.call("createLoginCode");
  const { token } = await world.as().call("createBrowserToken", { body: { code } });
  expect((await attentionOf(world.as(token))).items).toEqual(items);
  const short = await bo.call("getAttention", { query: { limit: 1 } });
  expect(short).toMatchObject({ more: true, counts: { now: 1, later: 3 } });
  expect(short.items).toEqual(items.slice(0, 1));
});

test("a guest has the items of their boards, and none of machines or pairing", async () => {
  const { world, ana } = await team();
  const gus = await guestOn(world, "gus");
  const list = await followList(world, gus);
  expect(await list.after(() => post(ana, "Hello @gus"))).toEqual(["mention"]);
  await world.as().call("startMachineRequest", { body: { handle: "gus", label: "phone" } });
  expect(await kindsFor(gus)).toEqual(["mention"]);
  expect(
    await list.after(() => ana.call("removePerson", { params: { board: "docs", handle: "gus" } })),
  ).toEqual([]);
});

test("nothing of an archived board is listed, and all of it again once it is restored", async () => {
  const { ana, bo, writer } = await team();
  await askOn(writer, "@bo");
  await post(ana, "@bo");
  const before = (await attentionOf(bo)).items;
  expect(before).toHaveLength(2);
  await ana.call("archiveBoard", docs);
  expect(await kindsFor(bo)).toEqual([]);
  await ana.call("restoreBoard", docs);
  expect((await attentionOf(bo)).items).toEqual(before);
});

test("nothing of a deleted board is left, not even what somebody who had left it owed", async () => {
  const { world, ana, bo, writer } = await team();
  await say(writer, "Ready?", "@bo", { expects_reply: true });
  await bo.call("leaveBoard", docs);
  await post(ana, "Hi @bo");
  await ana.call("archiveBoard", docs);
  const { id } = await ana.call("getBoard", docs);
  await ana.call("deleteBoard", { params: { board: id } });
  expect(await kindsFor(bo)).toEqual([]);
  expect(world.db.read((tx) => tx.all("SELECT * FROM attention_cause"))).toEqual([]);
});
