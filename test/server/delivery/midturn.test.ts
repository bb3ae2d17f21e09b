import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { follow } from "../../support/follow-stream.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import {
  docs,
  eventsOf,
  guestOn,
  headOf,
  post,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { ask, stored, verdictOf } from "../../support/raw-requests.ts";
import { browserOf } from "../../support/other-callers.ts";

type Setting = NonNullable<Given<"setMidturnPolicy">["body"]>;
const own = "agent_override" as const;
const byDefault = "person_default" as const;

/** `docs` with ana's agents a and b, and bo with his agent scout. */
const team = () => startDocs({ a: "ana", b: "ana", scout: "bo" });
const set = (person: Client, body: Setting, options = {}) =>
  person.call("setMidturnPolicy", { body }, options);
const read = (client: Client) => client.call("getMidturnPolicy");

describe("a mid-turn policy", () => {
  test("is my-agents until its person sets a default, and is then what that says", async () => {
    const { ana, bo, a, scout } = await team();
    expect(await read(a)).toEqual({ policy: "my-agents", source: byDefault });
    expect(await read(ana)).toEqual({ policy: "my-agents", source: byDefault, overrides: [] });
    const answer = await set(ana, { policy: "owner-only" });
    expect(answer).toEqual({
      policy: "owner-only",
      source: byDefault,
      changed: true,
      overrides: [],
    });
    expect(await read(a)).toEqual({ policy: "owner-only", source: byDefault });
    for (const other of [bo, scout])
      expect(await read(other)).toMatchObject({ policy: "my-agents", source: byDefault });
  });

  test("of an agent's own goes before the default, until it is taken away", async () => {
    const { ana, a, b } = await team();
    await set(ana, { policy: "owner-only" });
    const overrides = [{ member_id: a.id, policy: "my-agents" as const }];
    expect(await set(ana, { policy: "my-agents", member_id: a.id })).toEqual({
      policy: "my-agents",
      source: own,
      changed: true,
      overrides,
    });
    expect(await read(a)).toEqual({ policy: "my-agents", source: own });
    expect(await read(b)).toEqual({ policy: "owner-only", source: byDefault });
    expect(await read(ana)).toEqual({ policy: "owner-only", source: byDefault, overrides });
    expect(await set(ana, { policy: null, member_id: a.id })).toEqual({
      policy: "owner-only",
      source: byDefault,
      changed: true,
      overrides: [],
    });
    expect(await read(a)).toEqual({ policy: "owner-only", source: byDefault });
  });

  test("that is set again, or taken away where there is none, changes and writes nothing", async () => {
    const { world, ana, a } = await team();
    await set(ana, { policy: "owner-only" });
    await set(ana, { policy: "owner-only", member_id: a.id });
    const before = await stored(world);
    expect(await set(ana, { policy: "owner-only" })).toMatchObject({ changed: false });
    const again = await set(ana, { policy: "owner-only", member_id: a.id });
    expect(again).toMatchObject({ changed: false, source: own });
    expect(await stored(world)).toEqual(before);
    await set(ana, { policy: null, member_id: a.id });
    expect(await set(ana, { policy: null, member_id: a.id })).toMatchObject({ changed: false });
  });

  test("of one's own that says what the default says is still the agent's own", async () => {
    const { ana, a } = await team();
    const answer = await set(ana, { policy: "my-agents", member_id: a.id });
    expect(answer).toMatchObject({ changed: true, source: own });
    await set(ana, { policy: "owner-only" });
    expect(await read(a)).toEqual({ policy: "my-agents", source: own });
  });

  test("stays with the person through a change of handle, and is no event", async () => {
    const { ana, a } = await team();
    const events = await eventsOf(ana);
    await set(ana, { policy: "owner-only" });
    await set(ana, { policy: "my-agents", member_id: a.id });
    expect(await eventsOf(ana)).toEqual(events);
    await ana.call("renamePerson", { params: { handle: "ana" }, body: { handle: "anna" } });
    expect(await read(ana)).toMatchObject({
      policy: "owner-only",
      overrides: [{ member_id: a.id }],
    });
  });

  test("of agents is listed for those that are active, in the order of their boards", async () => {
    const { world, ana, a, b } = await team();
    await ana.call("createBoard", { body: { name: "other" } });
    const c = await world.seat(ana, "other", { name: "c" });
    for (const { id } of [c, b, a]) await set(ana, { policy: "owner-only", member_id: id });
    const ids = async () => (await read(ana)).overrides!.map(({ member_id }) => member_id);
    expect(await ids()).toEqual([a.id, b.id, c.id]);
    await a.call("leaveAsAgent");
    await ana.call("archiveBoard", { params: { board: "other" } });
    expect(await ids()).toEqual([b.id, c.id]);
    await ana.call("deleteBoard", { params: { board: "other" } });
    expect(await ids()).toEqual([b.id]);
  });

  test("is set on an archived board too", async () => {
    const { ana, a } = await team();
    await ana.call("archiveBoard", docs);
    await set(ana, { policy: "owner-only", member_id: a.id });
    expect(await read(a)).toEqual({ policy: "owner-only", source: own });
    expect((await a.call("getInbox")).midturn_policy).toBe("owner-only");
  });

  test("sends nothing on a stream", async () => {
    const { ana, a } = await team();
    const stream = await follow(ana);
    await stream.next(2);
    await set(ana, { policy: "owner-only", member_id: a.id });
    await a.call("setPresence", { body: { presence: "idle" } });
    expect(await stream.next(1)).toMatchObject([{ event: "presence", agent: "a" }]);
    stream.leave();
  });
});

describe("setting it is refused", () => {
  test("to an agent, also for itself", async () => {
    const { a } = await team();
    for (const body of [{ policy: "owner-only" }, { policy: "owner-only", member_id: a.id }])
      expect(await verdictOf(set(a, body as Setting))).toBe("403 human_token_required");
  });

  test("for the agent of somebody else, to owners and admins alike, and tells whose it is", async () => {
    const { ana, bo, a, scout } = await team();
    await ana.call("addOwner", { ...docs, body: { handle: "bo" } });
    for (const [person, { id }, owner] of [
      [ana, scout, "@bo"],
      [bo, a, "@ana"],
    ] as const) {
      const refusal = await refusalOf(set(person, { policy: "owner-only", member_id: id }));
      expect(refusal).toMatchObject({ status: 403, code: "agent_owner_required" });
      expect(refusal.hint).toContain(owner);
    }
    expect(await read(scout)).toMatchObject({ policy: "my-agents" });
  });

  test("for whom one does not see, who is gone, is a person or nobody, all in one way", async () => {
    const { world, ana, bo, b } = await team();
    await bo.call("createBoard", { body: { name: "hidden", visibility: "private" } });
    await bo.call("createBoard", { body: { name: "plaza" } });
    const hidden = await world.seat(bo, "hidden", { name: "h" });
    const off = await world.seat(bo, "plaza", { name: "p" });
    await b.call("leaveAsAgent");
    const { members } = await ana.call("listMembers", docs);
    const people = members.filter(({ kind }) => kind === "human").map(({ id }) => id);
    const nobody = `mem_${"0".repeat(26)}`;
    const texts = [];
    for (const member_id of [hidden.id, off.id, b.id, ...people, nobody, "a", bo.id]) {
      const { status, code, message } = await refusalOf(
        set(ana, { policy: "owner-only", member_id }),
      );
      expect([status, code]).toEqual([404, "member_not_found"]);
      texts.push(message.replace(`id ${member_id}`, "ID"));
    }
    expect(new Set(texts).size).toBe(1);
  });

  test("without a policy, with an unknown one, and with none for oneself", async () => {
    const { world, ana, a } = await team();
    const tried = async (body: unknown) =>
      (await ask(world, "PUT /v1/me/midturn", { token: ana.token, body })).verdict;
    expect(await tried({ policy: null })).toBe("422 invalid_request");
    for (const body of [
      {},
      { member_id: a.id },
      { policy: "all" },
      { policy: "" },
      [],
      undefined,
      { policy: "owner-only", member_id: null },
      { policy: "owner-only", member_id: "" },
      { policy: "owner-only", extra: 1 },
    ])
      expect(await tried(body)).toBe("400 invalid_request");
    const unknown = { token: ana.token, body: { policy: "all" } };
    expect((await ask(world, "PUT /v1/me/midturn", unknown)).text).toContain(
      "policy must be one of owner-only, my-agents, or null.",
    );
    expect(await read(ana)).toEqual({ policy: "my-agents", source: byDefault, overrides: [] });
  });

  test("to guests, who read their own as their agents do", async () => {
    const { world, ana } = await team();
    await set(ana, { policy: "owner-only" });
    const gus = await guestOn(world, "gus");
    const body = { policy: "owner-only", member_id: gus.agent.id } as const;
    expect(await verdictOf(set(gus, body))).toBe("403 guest_not_allowed");
    expect(await verdictOf(set(gus, { policy: "owner-only" }))).toBe("403 guest_not_allowed");
    expect(await read(gus)).toEqual({ policy: "my-agents", source: byDefault, overrides: [] });
    expect(await read(gus.agent)).toEqual({ policy: "my-agents", source: byDefault });
  });

  test("to a browser without its page's token, and open to one with it", async () => {
    const { world, ana, a } = await team();
    const signedIn = await ask(world, "POST /v1/browser-sessions", { body: { key: ana.token } });
    const cookie = signedIn.headers["set-cookie"]!.split(";")[0]!;
    const { csrf_token } = JSON.parse(signedIn.text) as { csrf_token: string };
    const body = { policy: "owner-only" };
    const tried = async (headers: Record<string, string>) =>
      (await ask(world, "PUT /v1/me/midturn", { headers: { cookie, ...headers }, body })).verdict;
    const origin = world.url;
    expect(await tried({ "x-service-csrf": csrf_token })).toBe("403 origin_not_allowed");
    expect(await tried({ origin })).toBe("403 csrf_token_invalid");
    expect(await read(a)).toMatchObject({ policy: "my-agents" });
    expect(await tried({ origin, "x-service-csrf": csrf_token })).toBe("200");
    expect(await read(a)).toMatchObject({ policy: "owner-only" });
    const bearer = world.as(await browserOf(world, ana.token));
    expect(await set(bearer, { policy: "my-agents" })).toMatchObject({ changed: true });
  });
});

describe("a repeat", () => {
  const once = { idempotencyKey: "once" };

  test("gets the first answer and sets nothing again", async () => {
    const { ana, a } = await team();
    const body = { policy: "owner-only", member_id: a.id } as const;
    const first = await set(ana, body, once);
    await set(ana, { policy: null, member_id: a.id });
    expect(await set(ana, body, once)).toEqual(first);
    expect(await read(a)).toMatchObject({ policy: "my-agents" });
  });

  test("is refused once the agent is gone", async () => {
    const { ana, a } = await team();
    const body = { policy: "owner-only", member_id: a.id } as const;
    await set(ana, body, once);
    await a.call("leaveAsAgent");
    expect(await verdictOf(set(ana, body, once))).toBe("404 member_not_found");
  });

  test("of a refusal does not name whose agent it is to somebody who sees it no more", async () => {
    const { ana, bo, a } = await team();
    const body = { policy: "owner-only", member_id: a.id } as const;
    expect(await verdictOf(set(bo, body, once))).toBe("403 agent_owner_required");
    expect(await verdictOf(set(bo, body, once))).toBe("403 agent_owner_required");
    await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
    const refusal = await refusalOf(set(bo, body, once));
    expect(refusal).toMatchObject({ status: 404, code: "member_not_found" });
    expect(JSON.stringify(refusal)).not.toContain("@ana");
  });
});

/** What a reader's inbox says of each message about who may reach it while it is busy. */
async function peersIn(client: Client) {
  const { messages } = await client.call("getInbox");
  return messages.map(({ body, midturn_peer_sender_id: peer }) => [body, peer]);
}

describe("an inbox", () => {
  test("tells the policy of now, and names the sender of what is urgent, by name and of one's own person", async () => {
    const { ana, bo, a, b, scout } = await team();
    const urgent = (to: string[], body: string) => ({ body, to, urgent: true });
    await post(b, urgent(["@a"], "direct"));
    await post(b, { body: "@a", to: ["@a"] });
    await post(b, urgent(["role:member"], "@a by role"));
    await post(b, urgent(["owner:ana"], "@a by owner"));
    await post(b, urgent(["all"], "@a to all"));
    await post(ana, urgent(["@a"], "from ana"));
    await post(scout, urgent(["@a"], "from scout"));
    await post(bo, urgent(["@a"], "from bo"));
    await post(b, urgent(["@scout", "@a"], "both"));
    await post(a, urgent(["@a", "@b"], "own"));
    expect(await peersIn(a)).toEqual([
      ["direct", b.id],
      ...["@a", "@a by role", "@a by owner", "@a to all"].map((body) => [body, undefined]),
      ...["from ana", "from scout", "from bo"].map((body) => [body, undefined]),
      ["both", b.id],
    ]);
    expect((await peersIn(b)).at(-1)).toEqual(["own", a.id]);
    const ofScout = await peersIn(scout);
    expect(ofScout.at(-1)).toEqual(["both", undefined]);
    expect((await a.call("getInbox")).midturn_policy).toBe("my-agents");
    await set(ana, { policy: "owner-only", member_id: a.id });
    expect((await a.call("getInbox")).midturn_policy).toBe("owner-only");
    // Whether it holds is the policy's to say; who sent it stays true.
    expect((await peersIn(a))[0]).toEqual(["direct", b.id]);
  });

  test("names no sender that is gone, and nothing outside inboxes does", async () => {
    const { ana, a, b } = await team();
    const { id } = await post(b, { body: "direct", to: ["@a"], urgent: true });
    expect(await peersIn(a)).toEqual([["direct", b.id]]);
    const elsewhere = await Promise.all([
      a.call("listMessages", docs),
      ana.call("listMessages", docs),
      a.call("getMessage", { params: { message: id } }),
      a.call("listReplies", { params: { message: id } }),
    ]);
    expect(JSON.stringify(elsewhere)).not.toContain("midturn");
    await b.call("leaveAsAgent");
    expect(await peersIn(a)).toEqual([["direct", undefined]]);
  });

  test("tells it for a reply that goes to its thread by name, with reactions on it too", async () => {
    const { a, b } = await team();
    const { id } = await post(a, { body: "first", to: ["@b"] });
    const reply = await post(b, { body: "urgent reply", reply_to: id, urgent: true });
    expect(await peersIn(a)).toEqual([["urgent reply", b.id]]);
    await b.call("addReaction", { params: { message: reply.id, reaction: "eyes" } });
    expect(await peersIn(a)).toEqual([["urgent reply", b.id]]);
  });
});

describe("the hint of a receipt", () => {
  const receipts = async (reader: Client, seq: number) => {
    const { recipients } = await reader.call("getReceipts", { params: { board: "docs", seq } });
    return recipients.map(({ member, midturn_hint: hint }) => [member.name, hint]);
  };
  const urgent = (client: Client, to: string[]) => post(client, { body: "now", to, urgent: true });

  test("tells the sender what the recipient's policy of now lets in", async () => {
    const { ana, a, b } = await team();
    const { seq } = await urgent(b, ["@a", "@scout", "@ana"]);
    const others = [
      ["scout", undefined],
      ["ana", undefined],
    ];
    expect(await receipts(b, seq)).toEqual([["a", "peer_if_supported"], ...others]);
    await set(ana, { policy: "owner-only" });
    expect(await receipts(b, seq)).toEqual([["a", "owner_only"], ...others]);
    await set(ana, { policy: "my-agents", member_id: a.id });
    expect(await receipts(b, seq)).toEqual([["a", "peer_if_supported"], ...others]);
  });

  test("is for nobody else, and for no message that is not urgent or not by name", async () => {
    const { ana, bo, a, b, scout } = await team();
    const { seq } = await urgent(b, ["@a"]);
    for (const reader of [a, scout, ana, bo])
      expect(await receipts(reader, seq)).toEqual([["a", undefined]]);
    const calm = await post(b, { body: "later", to: ["@a"] });
    const owner = await urgent(b, ["owner:ana"]);
    for (const message of [calm, owner])
      expect(await receipts(b, message.seq)).toEqual([["a", undefined]]);
    const role = await urgent(b, ["role:member"]);
    expect((await receipts(b, role.seq)).every(([, hint]) => hint === undefined)).toBe(true);
    const byAna = await urgent(ana, ["@a"]);
    expect(await receipts(ana, byAna.seq)).toEqual([["a", undefined]]);
  });

  test("ends with its recipient, and works where the board is archived", async () => {
    const { world, ana, a, b } = await team();
    const { seq } = await urgent(b, ["@a"]);
    await setPolicy(world, { visibility: "addressed" });
    await ana.call("archiveBoard", docs);
    expect(await receipts(b, seq)).toEqual([["a", "peer_if_supported"]]);
    await a.call("leaveAsAgent");
    expect(await receipts(b, seq)).toEqual([]);
  });
});

test("an agent that waits reads again what its person has set", async () => {
  const { world, ana, a } = await team();
  const head = await headOf(ana);
  const waiting = a.call("getInbox", { query: { wait: 30, after: head } });
  await until(() => world.hub.waiting === 1, "the inbox waits");
  await set(ana, { policy: "owner-only" });
  await post(ana, { body: "now", to: ["@a"] });
  expect(await waiting).toMatchObject({
    midturn_policy: "owner-only",
    messages: [{ body: "now" }],
  });
});

test("a policy is current even if it was read a moment ago", async () => {
  const { ana, a } = await team();
  for (const policy of ["owner-only", "my-agents", "owner-only"] as const) {
    await read(a);
    await set(ana, { policy });
    expect((await read(a)).policy).toBe(policy);
    expect((await a.call("getInbox")).midturn_policy).toBe(policy);
  }
});
