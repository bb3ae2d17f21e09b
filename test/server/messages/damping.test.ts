import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, makeDocs, post, seatOnDocs } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { startWorld, type World } from "../../support/servers/server-in-process.ts";

type Agent = Awaited<ReturnType<World["seat"]>>;

const team = () => startDocs({ a: "ana", b: "bo", c: "bo" });
const to = (agent: Agent, body = "thanks") => ({ body, to: [`@${agent.name}`] });

/** Two agents write to each other in turn. Returns for each message whether it wakes. */
async function chat(one: Agent, other: Agent, messages: number) {
  const wakes: boolean[] = [];
  for (let n = 0; n < messages; n++) {
    const [from, target] = n % 2 ? [other, one] : [one, other];
    const { damped } = await post(from, to(target));
    if (damped) expect(damped).toEqual([target.id]);
    wakes.push(!damped);
  }
  return wakes;
}
const wakesFirst = (count: number, of: number) => Array.from({ length: of }, (_, n) => n < count);
/** Whether a message of an agent to another one wakes it. */
const wakes = async (one: Agent, other: Agent) => !(await post(one, to(other))).damped;

describe("two agents that answer everything", () => {
  test("stop waking each other after 20 messages, and everything they wrote is readable", async () => {
    const { ana, a, b } = await team();
    expect(await chat(a, b, 26)).toEqual(wakesFirst(20, 26));
    const { messages } = await b.call("getInbox");
    expect(messages).toHaveLength(13);
    expect(messages.map(({ damped }) => damped)).toEqual(
      wakesFirst(10, 13).map((woke) => (woke ? undefined : [b.id])),
    );
    const posted = (await eventsOf(ana)).filter(({ type }) => type === "message.posted");
    expect(posted.map(({ data }) => data!["damped"] !== undefined)).toEqual(
      wakesFirst(20, 26).map((woke) => !woke),
    );
  });

  test("do so too when they wait for their inboxes, whatever their mode", async () => {
    const { world, ana, bo, a, b } = await team();
    for (const [person, member] of [
      [ana, "a"],
      [bo, "b"],
    ] as const)
      await person.call("setDeliveryMode", {
        params: { board: "docs", member },
        body: { mode: "off" },
      });
    let woken = 0;
    const script = async (agent: Agent) => {
      for (;;) {
        const { messages } = await agent.call("getInbox", { query: { wait: 600 } });
        if (messages.length === 0) return;
        woken++;
        await agent.call("ackInbox", { body: { up_to: messages.at(-1)!.seq } });
        const waits = agent === a ? b : a;
        await until(() => world.hub.waiting > 0, `${waits.name} waits again`);
        await post(agent, "I agree");
      }
    };
    const scripts = [script(a), script(b)];
    await until(() => world.hub.waiting === 2, "both wait");
    await post(ana, { body: "begin", to: ["@a"] });
    await until(() => world.hub.waiting === 2 && woken >= 21, "they wait for good");
    expect(woken).toBe(21);
    expect((await ana.call("listMessages", docs)).messages).toHaveLength(22);
    world.hub.close();
    await Promise.all(scripts);
  });

  test("do so too when one of them is so slow that its messages are there before it waits", async () => {
    const { world, a, b } = await team();
    const take = async (agent: Agent) => {
      const { messages } = await agent.call("getInbox", { query: { wait: 600 } });
      await agent.call("ackInbox", { body: { up_to: messages.at(-1)!.seq } });
    };
    for (const agent of [a, b]) await post(agent, "Hello");
    await take(a);
    let answers = 0;
    while (answers < 40) {
      await take(b);
      // B is at work on it while a answers the message before.
      if ((await post(a, "I agree")).damped) break;
      const waits = take(a);
      await until(() => world.hub.waiting === 1, "a waits");
      expect((await post(b, "I agree")).damped).toBeUndefined();
      await waits;
      answers += 2;
    }
    expect(answers).toBe(20);
  });

  test("are not damped by what wakes neither: quiet messages and broadcasts", async () => {
    const { a, b } = await team();
    for (let n = 0; n < 15; n++)
      for (const agent of [a, b]) {
        await post(agent, "for the record");
        await post(agent, { ...to(agent === a ? b : a), quiet: true });
      }
    expect(await chat(a, b, 21)).toEqual(wakesFirst(20, 21));
  });

  test.each([
    ["a broadcast in the mode all", {}, "all"],
    ["a mention", { body: "@b see", to: ["@bo"] }, "focused"],
    ["urgent", { urgent: true }, "focused"],
    ["expects_reply", { expects_reply: true }, "focused"],
  ] as const)("count what wakes by %s", async (_, message, mode) => {
    const { bo, a, b } = await team();
    await bo.call("setDeliveryMode", {
      params: { board: "docs", member: "b" },
      body: { mode },
    });
    await chat(a, b, 20);
    const { damped } = await post(a, { body: "x", ...(message as object) });
    expect(damped).toEqual([b.id]);
    expect((await post(a, { body: "x", quiet: true })).damped).toBeUndefined();
  });

  test("count a reply to everyone as waking the author", async () => {
    const { a, b } = await team();
    const { id } = await post(b, to(a));
    await chat(a, b, 20);
    expect((await post(a, { body: "x", reply_to: id, to: ["all"] })).damped).toEqual([b.id]);
  });

  test("wait on: a damped message ends no wait, and comes with the next that does", async () => {
    const { world, ana, a, b } = await team();
    await chat(a, b, 20);
    const { seq } = (
      await a.call("listMessages", { ...docs, query: { newest: true } })
    ).messages.at(-1)!;
    await b.call("ackInbox", { body: { up_to: seq } });
    const answer = b.call("getInbox", { query: { wait: 600 } });
    await until(() => world.hub.waiting === 1, "the inbox waits");
    for (const target of [["@b"], ["all"]]) {
      const { damped } = await post(a, { body: "thanks", to: target });
      expect(damped).toEqual([b.id]);
    }
    expect(world.hub.waiting).toBe(1);
    await post(ana, { body: "stop", to: ["@b"] });
    expect((await answer).messages.map(({ body }) => body)).toEqual(["thanks", "thanks", "stop"]);
  });

  test("end a wait for replies all the same", async () => {
    const { world, a, b } = await team();
    await chat(a, b, 20);
    const { id } = await post(a, to(b));
    const answer = a.call("listReplies", { params: { message: id }, query: { wait: 600 } });
    await until(() => world.hub.waiting === 1, "the replies wait");
    const { damped } = await post(b, { body: "yes", reply_to: id });
    expect(damped).toEqual([a.id]);
    expect((await answer).replies).toHaveLength(1);
  });

  test("begin anew after 30 minutes without a message between them", async () => {
    const { world, a, b } = await team();
    await chat(a, b, 20);
    world.pass(1799);
    expect(await wakes(a, b)).toBe(false);
    world.pass(1799);
    expect(await wakes(a, b)).toBe(false);
    world.pass(1800);
    expect(await chat(a, b, 21)).toEqual(wakesFirst(20, 21));
  });

  test("are forgotten by a restart, which keeps what was recorded", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "damping-")), "service.db");
    const before = await startWorld({ file });
    await makeDocs(before);
    const [a, b] = [await seatOnDocs(before, "a"), await seatOnDocs(before, "b")];
    await chat(a, b, 22);
    const { messages } = await a.call("listMessages", docs);
    expect(messages.filter(({ damped }) => damped)).toHaveLength(2);
    before.stop();
    const after = await startWorld({ file });
    const [again, other] = [a, b].map((agent) => ({ ...agent, ...after.as(agent.token) }));
    expect((await again!.call("listMessages", docs)).messages).toEqual(messages);
    expect(await chat(again!, other!, 21)).toEqual(wakesFirst(20, 21));
    after.stop();
  });
});

describe("a sign of work", () => {
  const signs: [
    string,
    (team: Awaited<ReturnType<typeof startDocs<"a" | "b" | "c">>>) => Promise<unknown>,
  ][] = [
    [
      "a person's message, to anybody",
      ({ ana }) => post(ana, { body: "x", to: ["@bo"], quiet: true }),
    ],
    [
      "a task that one of them opens",
      ({ a }) => a.call("createTask", { ...docs, body: { title: "x" } }),
    ],
    ["an ask of one of them", ({ b }) => post(b, { body: "which?", ask: {} })],
  ];
  test.each(signs)("lifts it at once: %s", async (_, sign) => {
    const all = await team();
    const { a, b } = all;
    await chat(a, b, 21);
    expect(await wakes(b, a)).toBe(false);
    await sign(all);
    expect(await chat(a, b, 21)).toEqual(wakesFirst(20, 21));
  });

  test("lifts it: an answer to an ask of theirs, by anybody, which wakes too", async () => {
    const { a, b, c } = await team();
    const { id } = await post(a, { body: "which?", to: ["@c"], ask: {} });
    await chat(a, b, 20);
    expect(await wakes(a, b)).toBe(false);
    expect((await post(c, { body: "this", reply_to: id })).damped).toBeUndefined();
    expect(await wakes(a, b)).toBe(true);
  });

  test("is none: a further answer in words, or with the same option; another option is one", async () => {
    const { a, b } = await team();
    const { id } = await post(a, { body: "which?", to: ["@b"], ask: { options: ["x", "y"] } });
    const answer = (option?: number) =>
      post(b, { body: "thanks", reply_to: id, ...(option && { answer: { option } }) });
    expect((await answer(1)).damped).toBeUndefined();
    for (let round = 0; round < 10; round++) {
      expect(await wakes(a, b)).toBe(true);
      expect((await answer(round < 5 ? 1 : undefined)).damped).toBeUndefined();
    }
    expect(await wakes(a, b)).toBe(false);
    expect((await answer()).damped).toEqual([a.id]);
    expect((await answer(2)).damped).toBeUndefined();
    expect(await chat(a, b, 21)).toEqual(wakesFirst(20, 21));
  });

  test("is none: a status line, a reaction, another agent's task, a message of another agent", async () => {
    const { a, b, c } = await team();
    await chat(a, b, 20);
    await a.call("setLine", { body: { kind: "working", text: "on it" } });
    const { id } = await post(c, to(a));
    await b.call("addReaction", { params: { message: id, reaction: "eyes" } });
    await c.call("createTask", { ...docs, body: { title: "x" } });
    expect(await wakes(a, b)).toBe(false);
  });

  test("between them in time keeps them awake", async () => {
    const { a, b } = await team();
    const { ref } = await a.call("createTask", { ...docs, body: { title: "x", start: true } });
    for (let round = 0; round < 4; round++) {
      expect(await chat(a, b, 20)).toEqual(wakesFirst(20, 20));
      const body = { stands: `${round}` };
      await a.call("updateTask", { params: { board: "docs", task: ref }, body });
    }
  });
});

test("whoever hands out work to a silent role of sixteen is not damped", async () => {
  const { world, a } = await startDocs({ a: "ana" }, { template: "writer-reviewer" });
  for (let n = 0; n < 16; n++) await seatOnDocs(world, `r${n}`, "reviewer");
  for (let n = 0; n < 70; n++)
    expect((await post(a, { body: "next", to: ["role:reviewer"] })).damped).toBeUndefined();
});

describe("a ring of agents", () => {
  /** Each wakes the next. Returns the number of messages after which one did not wake. */
  async function turns(ring: readonly Agent[], most: number) {
    for (let n = 0; n < most; n++) {
      const [from, target] = [ring[n % ring.length]!, ring[(n + 1) % ring.length]!];
      const { damped, ring: inRing } = await post(from, to(target));
      if (damped) {
        expect([damped, inRing]).toEqual([[target.id], true]);
        return n;
      }
    }
    return most;
  }

  test("of three stops after each wrote 60 and was woken by 60, and goes on after a sign of work", async () => {
    const { a, b, c } = await team();
    // The third agent's message is the 60th that wakes the first.
    expect(await turns([a, b, c], 200)).toBe(180);
    expect((await post(a, { body: "x", to: ["@b", "@c"] })).damped).toEqual([b.id, c.id]);
    await c.call("createTask", { ...docs, body: { title: "x" } });
    expect(await turns([a, b, c], 181)).toBe(180);
  });

  test("is none: two damped agents that go on writing to each other still wake others", async () => {
    const { a, b, c } = await team();
    expect(await chat(a, b, 140)).toEqual(wakesFirst(20, 140));
    const { damped, ring } = await post(a, { body: "thanks", to: ["@b", "@c"] });
    expect([damped, ring]).toEqual([[b.id], undefined]);
    expect(await wakes(b, c)).toBe(true);
  });

  test("begins anew for an agent that wrote nothing for 30 minutes", async () => {
    const { world, a, b, c } = await team();
    await turns([a, b, c], 180);
    world.pass(1800);
    expect(await turns([a, b, c], 181)).toBe(180);
  });
});

describe("the counts", () => {
  test("take back what a refused message or a failed commit would have added", async () => {
    const { world, a, b } = await team();
    await chat(a, b, 19);
    const fail = world.db
      .write((tx) => {
        tx.run("UPDATE board SET title = 'x'");
        throw new Error("spoils the commit");
      })
      .catch(() => {});
    // Both are in one commit: the message is first counted, taken back with the commit, and made again.
    const [, twentieth] = await Promise.all([fail, post(b, to(a))]);
    expect(twentieth.damped).toBeUndefined();
    expect(await wakes(a, b)).toBe(false);
  });

  test("hold when all messages come at once", async () => {
    const { a, b } = await team();
    const posts = Array.from({ length: 30 }, (_, n) => (n % 2 ? post(b, to(a)) : post(a, to(b))));
    const damped = (await Promise.all(posts)).filter((message) => message.damped);
    expect(damped).toHaveLength(10);
  });

  test("count a repeated post once", async () => {
    const { a, b } = await team();
    await chat(a, b, 18);
    const again = { idempotencyKey: "k" };
    for (let n = 0; n < 3; n++) await a.call("postMessage", { ...docs, body: to(b) }, again);
    expect(await wakes(b, a)).toBe(true);
    expect(await wakes(a, b)).toBe(false);
  });
});
