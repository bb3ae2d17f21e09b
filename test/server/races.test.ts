import { describe, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { follow } from "../support/follow-stream.ts";
import { startDocs } from "../support/boards/docs-board-with-people.ts";
import { docs, eventsOf, guestOn, post } from "../support/boards/docs-board.ts";
import { until } from "../support/wait-until.ts";
import { ask, cameTo, stored, verdictOf, type Heard } from "../support/raw-requests.ts";

/*
 * What meets its end at the very moment in which it is used. Where two ask for one thing (an invitation, a code, a
 * machine's request, a name), and where two admins end each other, stands with the tests of that thing.
 */

const unauthorized = "401 unauthorized";
const revoked = "401 delegation_revoked";
const origin = "http://127.0.0.1:7400";

/** Docs with ana, who owns it, and bo with two keys, a machine, and what has to be made before. */
async function start() {
  const { world, bo } = await startDocs();
  const other = await bo.call("createKey", { body: { name: "other" } });
  const { token: machine } = await bo.call("createDelegation", { body: { name: "laptop" } });
  const { code } = await bo.call("createLoginCode");
  const request = await world
    .as()
    .call("startMachineRequest", { body: { handle: "bo", label: "box" } });
  await bo.call("approveMachineRequest", { body: { code: request.code } });
  return { world, ana: world.admin, bo, other: world.as(other.token), machine, code, request };
}
type Scene = Awaited<ReturnType<typeof start>>;

/** The credential in an answer: in its body, or in the cookie that it sets. */
function tokenIn({ text, headers, status }: Heard): string | null {
  if (status >= 300) return null;
  const { token, key } = JSON.parse(text) as { token?: string; key?: { token?: string } };
  return token ?? key?.token ?? /=(abb_[\w-]+);/.exec(headers["set-cookie"] ?? "")?.[1] ?? null;
}

/** Ways to get a credential that hangs on bo's first key, and after that those that hang on bo alone. */
const ofKey: Record<string, (scene: Scene) => Promise<Heard>> = {
  "a delegation": ({ world, bo }) =>
    ask(world, "POST /v1/delegations", { token: bo.token, body: { name: "phone" } }),
  "a seat": ({ world, bo }) =>
    ask(world, "POST /v1/join", { token: bo.token, body: { board: "docs", role: "member" } }),
  "a delegated seat": ({ world, machine }) =>
    ask(world, "POST /v1/join", { token: machine, body: { board: "docs", session: "codex:1" } }),
  "a delegated board": ({ world, machine }) =>
    ask(world, "POST /v1/delegations/boards", {
      token: machine,
      body: { session: "codex:1", harness: "codex" },
    }),
  "a session by key": ({ world, bo }) =>
    ask(world, "POST /v1/browser-sessions", { body: { key: bo.token }, headers: { origin } }),
  "a session by code": ({ world, code }) =>
    ask(world, "POST /v1/browser-sessions", { body: { code }, headers: { origin } }),
  "a browser token": ({ world, code }) => ask(world, "POST /v1/browser-tokens", { body: { code } }),
};
const ofPerson: typeof ofKey = {
  "another key": ({ world, bo }) =>
    ask(world, "POST /v1/keys", { token: bo.token, body: { name: "late" } }),
  "a machine's key": ({ world, request: { secret } }) =>
    ask(world, "POST /v1/machine-requests/collect", { body: { secret } }),
};

const endings: [ending: string, ways: typeof ofKey, end: (scene: Scene) => Promise<unknown>][] = [
  [
    "the removal of its person",
    { ...ofKey, ...ofPerson },
    ({ ana }) => ana.call("removeFromServer", { params: { handle: "bo" } }),
  ],
  [
    "the revocation of its key",
    ofKey,
    ({ bo, other }) => other.call("revokeKey", { params: { key: bo.keyId } }),
  ],
];

describe.each(endings)("what is made at the moment of %s", (_, ways, end) => {
  test.each(Object.keys(ways))(
    "%s does not work afterwards, whichever comes first",
    async (way) => {
      const made = [];
      for (const first of ["end", "make"]) {
        const scene = await start();
        const { world } = scene;
        const making = () => ways[way]!(scene);
        const [, answer] =
          first === "end"
            ? await Promise.all([end(scene), making()])
            : await Promise.all([making(), end(scene)]).then(([a, b]) => [b, a] as const);
        const token = tokenIn(answer);
        if (token) made.push(token);
        else expect(answer.status).toBeOneOf([401, 403, 404]);
        if (token) {
          const { verdict } = await ask(world, "GET /v1/boards", { token });
          expect(verdict).toBeOneOf([unauthorized, revoked, "403 agent_removed"]);
          const adopted = { body: { token }, headers: { origin } };
          expect((await ask(world, "POST /v1/browser-sessions", adopted)).verdict).toBe(
            unauthorized,
          );
        }
      }
      // It is a race only if it could be won.
      const { world, ...rest } = await start();
      expect(tokenIn(await ways[way]!({ world, ...rest }))).not.toBeNull();
    },
  );
});

test("a one-time code, a guest code and an invitation made at the moment of their maker's removal let nobody in", async () => {
  const { world, ana, bo } = await start();
  await ana.call("setServerRole", { params: { handle: "bo" }, body: { server_role: "admin" } });
  const [login, guest, invite] = await Promise.all([
    ask(world, "POST /v1/login-codes", { token: bo.token }),
    ask(world, "POST /v1/boards/docs/join-codes", {
      token: bo.token,
      body: { role: "member", guest: "gus" },
    }),
    ask(world, "POST /v1/invites", { token: bo.token }),
    ana.call("removeFromServer", { params: { handle: "bo" } }),
  ]);
  // A client knows of what was made only where it was made first.
  expect([login, guest, invite].filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  const secretOf = ({ text }: Heard) => {
    const { code, invite: secret } = JSON.parse(text) as { code?: string; invite?: string };
    return code ?? secret ?? "none";
  };
  const tried = [
    ask(world, "POST /v1/browser-tokens", { body: { code: secretOf(login) } }),
    ask(world, "POST /v1/guest-join", { body: { code: secretOf(guest), key_name: "box" } }),
    ask(world, "POST /v1/connect", {
      body: { invite: secretOf(invite), handle: "dee", key_name: "box" },
    }),
  ];
  expect((await Promise.all(tried)).map(({ verdict }) => verdict)).toEqual([
    "404 login_code_invalid",
    "404 join_code_invalid",
    "404 invite_invalid",
  ]);
});

test("of a guest code's redemption and its revocation at the same moment one comes first, and both say so", async () => {
  for (const first of ["redeem", "revoke"]) {
    const { world, ana } = await start();
    const made = await ana.call("createJoinCode", {
      ...docs,
      body: { role: "member", guest: "gus" },
    });
    const redeem = () =>
      cameTo(world.as().send("guestJoin", { body: { code: made.code, key_name: "box" } }));
    const revoke = () =>
      ana.call("revokeJoinCode", { params: { board: "docs", join_code: made.id } });
    const came = await (first === "redeem"
      ? Promise.all([redeem(), revoke()]).then(([verdict]) => verdict)
      : Promise.all([revoke(), redeem()]).then(([, verdict]) => verdict));
    // Of a redemption two have joined: the guest, and their agent.
    const told = (await eventsOf(ana)).slice(-3).map(({ type }) => type);
    expect([came, ...told]).toBeOneOf([
      ["201", "member.joined", "member.joined", "joincode.revoked"],
      ["404 join_code_invalid", "person.added", "joincode.created", "joincode.revoked"],
    ]);
    expect(
      await cameTo(world.as().send("guestJoin", { body: { code: made.code, key_name: "box" } })),
    ).toBe("404 join_code_invalid");
  }
});

/** A browser token of bo's first key, with its session's id. */
async function browserOf({ world, bo }: Scene) {
  const { code } = await bo.call("createLoginCode");
  const { token } = await world.as().call("createBrowserToken", { body: { code } });
  const [newest] = (await bo.call("listBrowserSessions")).sessions;
  return { ...world.as(token), token, id: newest!.id };
}

/** How a browser's session ends while it has something open. */
const sessionEnds: Record<string, (scene: Scene, browser: Client & { id: string }) => unknown> = {
  "is ended by its person": ({ bo }, { id }) =>
    bo.call("endBrowserSession", { params: { session: id } }),
  "ends with all of its person's": ({ bo }) => bo.call("endBrowserTokens"),
  "signs out": (_, browser) => browser.call("signOut"),
  "loses its key": ({ bo, other }) => other.call("revokeKey", { params: { key: bo.keyId } }),
  "loses its person": ({ ana }) => ana.call("removeFromServer", { params: { handle: "bo" } }),
};

test.each(Object.keys(sessionEnds))(
  "a wait and a stream of a browser end when it %s, and nobody else's do",
  async (end) => {
    const scene = await start();
    const { world, ana } = scene;
    const { id: message } = await post(ana, "wait for it");
    const browser = await browserOf(scene);
    const [ofBrowser, ofAna] = [await follow(browser), await follow(ana)];
    const waiting = (client: Client) =>
      client.call("listReplies", { params: { message }, query: { wait: 600 } });
    const [ending, staying] = [waiting(browser), waiting(ana)];
    const verdict = verdictOf(ending);
    await until(() => world.hub.waiting === 2, "both wait");
    await sessionEnds[end]!(scene, browser);
    expect(await verdict).toBe(unauthorized);
    await until(() => ofBrowser.state.ended, "the stream ends");
    expect([world.hub.waiting, ofAna.state.ended]).toEqual([1, false]);
    const { id } = await post(ana, { body: "here", reply_to: message, to: ["all"] });
    expect((await staying).replies.map((reply) => reply.id)).toEqual([id]);
  },
);

test("a wait of a browser ends at the moment its session is over", async () => {
  const scene = await start();
  const { world, ana } = scene;
  const { id: message } = await post(ana, "wait for it");
  const browser = await browserOf(scene);
  await world.db.write((tx) =>
    tx.run("UPDATE browser_session SET expires_at = ? WHERE id = ?", world.at(0.05), browser.id),
  );
  const verdict = verdictOf(
    browser.call("listReplies", { params: { message }, query: { wait: 600 } }),
  );
  await until(() => world.hub.waiting === 1, "it waits");
  world.pass(1);
  expect(await verdict).toBe(unauthorized);
});

test("a wait or a stream that begins at the moment in which its credential ends does not go on", async () => {
  for (const [, , end] of endings)
    for (const first of ["end", "open"]) {
      const scene = await start();
      const { world, ana, bo } = scene;
      const seat = await world.seat(bo, "docs", { name: "scout" });
      const { id: message } = await post(ana, { body: "hello", to: ["@ana"] });
      const stream = async () => {
        for await (const { event } of bo.stream())
          expect(event).toBeOneOf(["hello", "head", "unread", "attention"]);
        return "ended";
      };
      const open = () => [
        verdictOf(seat.call("getInbox", { query: { wait: 600 } })),
        verdictOf(bo.call("listReplies", { params: { message }, query: { wait: 600 } })),
        stream().catch(({ status, code }) => `${status} ${code}`),
        inboxStream().catch(({ status, code }) => `${status} ${code}`),
      ];
      const inboxStream = async () => {
        let code = "";
        for await (const { event, data } of seat.follow("streamInbox"))
          if (event === "end") ({ code } = data);
        return code;
      };
      const came =
        first === "end"
          ? await Promise.all([end(scene), ...open()]).then(([, ...rest]) => rest)
          : await Promise.all([...open(), end(scene)]).then((all) => all.slice(0, 4));
      expect(came[0]).toBeOneOf([unauthorized, "403 agent_removed"]);
      expect(came[1]).toBe(unauthorized);
      expect(came[2]).toBeOneOf(["ended", unauthorized]);
      expect(came[3]).toBeOneOf([
        "unauthorized",
        "agent_removed",
        unauthorized,
        "403 agent_removed",
      ]);
      const left = [world.hub.waiting, world.streams.count, world.inboxStreams.count];
      expect(left).toEqual([0, 0, 0]);
    }
});

test("a board that a delegation makes beside the delegation's end is there with its answer, or not at all", async () => {
  const ends: ((scene: Scene) => Promise<unknown>)[] = [
    ({ bo }) => bo.call("createDelegation", { body: { name: "laptop" } }),
    ({ bo, other }) => other.call("revokeKey", { params: { key: bo.keyId } }),
  ];
  for (const end of ends)
    for (const first of ["end", "make"]) {
      const scene = await start();
      const { world, machine, other } = scene;
      const make = () =>
        ask(world, "POST /v1/delegations/boards", {
          token: machine,
          body: { name: "plans", session: "codex:1", harness: "codex" },
          headers: { "idempotency-key": "once" },
        });
      const [, answer] =
        first === "end"
          ? await Promise.all([end(scene), make()])
          : await Promise.all([make(), end(scene)]).then(([a, b]) => [b, a] as const);
      const boards = (await other.call("listBoards")).boards.map(({ name }) => name);
      expect([answer.verdict, boards]).toBeOneOf([
        ["201", ["docs", "plans"]],
        [revoked, ["docs"]],
      ]);
      expect((await make()).verdict).toBe(revoked);
    }
});

/** A credential with which something is done that is kept, how it loses what it needs, and what a repeat then gets. */
interface Loss {
  readonly token: (scene: Scene) => Promise<string> | string;
  readonly lose: (scene: Scene, token: string) => Promise<unknown>;
  readonly verdict: string;
  readonly line?: string;
  readonly body?: object;
}
const seatOf = async ({ world, bo }: Scene) =>
  (await world.seat(bo, "docs", { name: "scout" })).token;
const revokeFirst = ({ bo, other }: Scene) =>
  other.call("revokeKey", { params: { key: bo.keyId } });
const removeBo = ({ ana }: Scene) => ana.call("removeFromServer", { params: { handle: "bo" } });
const offBoard =
  (handle: string) =>
  ({ ana }: Scene) =>
    ana.call("removePerson", { params: { board: "docs", handle } });
const hide = ({ ana }: Scene) =>
  ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
const asMachine = {
  token: ({ machine }: Scene) => machine,
  line: "POST /v1/delegations/boards",
  body: { name: "plans", session: "codex:1", harness: "codex" },
  verdict: revoked,
};
const losses: Record<string, Loss> = {
  "a key that is revoked": {
    token: ({ bo }) => bo.token,
    lose: revokeFirst,
    verdict: unauthorized,
  },
  "a key that has expired": {
    token: async ({ bo }) =>
      (await bo.call("createKey", { body: { name: "short", ttl_seconds: 3600 } })).token,
    lose: async ({ world }) => world.pass(3600),
    verdict: unauthorized,
  },
  "a key whose person was removed from the server": {
    token: ({ bo }) => bo.token,
    lose: removeBo,
    verdict: unauthorized,
  },
  "a key whose person was taken off a board that they may see": {
    token: ({ bo }) => bo.token,
    lose: offBoard("bo"),
    verdict: "403 not_on_board",
  },
  "a key whose person was taken off a board that is hidden now": {
    token: ({ bo }) => bo.token,
    lose: async (scene) => {
      await offBoard("bo")(scene);
      await hide(scene);
    },
    verdict: "404 board_not_found",
  },
  "a browser that is signed out": {
    token: async (scene) => (await browserOf(scene)).token,
    lose: ({ bo }) => bo.call("endBrowserTokens"),
    verdict: unauthorized,
  },
  "a browser whose session is over": {
    token: async (scene) => (await browserOf(scene)).token,
    lose: ({ world }) =>
      world.db.write((tx) => tx.run("UPDATE browser_session SET expires_at = ?", tx.now)),
    verdict: unauthorized,
  },
  "a browser whose key is revoked": {
    token: async (scene) => (await browserOf(scene)).token,
    lose: revokeFirst,
    verdict: unauthorized,
  },
  "an agent whose key is revoked": { token: seatOf, lose: revokeFirst, verdict: unauthorized },
  "an agent that was removed": {
    token: seatOf,
    lose: ({ ana }) => ana.call("removeAgent", { params: { board: "docs", member: "scout" } }),
    verdict: "403 agent_removed",
  },
  "an agent that left": {
    token: seatOf,
    lose: ({ world }, token) => world.as(token).call("leaveAsAgent"),
    verdict: "403 agent_removed",
  },
  "an agent whose token was replaced": {
    token: async ({ world, bo }) =>
      (await world.seat(bo, "docs", { name: "scout", session: "codex:1" })).token,
    lose: ({ world, machine }) =>
      world.as(machine).call("join", { body: { board: "docs", session: "codex:1" } }),
    verdict: unauthorized,
  },
  "an agent whose person was removed from the server": {
    token: seatOf,
    lose: removeBo,
    verdict: "403 agent_removed",
  },
  "an agent of a deleted board": {
    token: seatOf,
    lose: async ({ ana }) => {
      await ana.call("archiveBoard", docs);
      await ana.call("deleteBoard", docs);
    },
    verdict: "404 board_not_found",
  },
  "a delegation that another followed": {
    ...asMachine,
    lose: ({ bo }) => bo.call("createDelegation", { body: { name: "laptop" } }),
  },
  "a delegation whose key is revoked": { ...asMachine, lose: revokeFirst },
  "a delegation whose person was removed": { ...asMachine, lose: removeBo },
  "a guest who was taken off the board": {
    token: async ({ world }) => (await guestOn(world, "gus")).token,
    lose: offBoard("gus"),
    verdict: "404 board_not_found",
  },
  "a guest who was removed from the server": {
    token: async ({ world }) => (await guestOn(world, "gus")).token,
    lose: ({ ana }) => ana.call("removeFromServer", { params: { handle: "gus" } }),
    verdict: unauthorized,
  },
  "the agent of a guest who was taken off the board": {
    token: async ({ world }) => (await guestOn(world, "gus")).agent.token,
    lose: offBoard("gus"),
    verdict: "403 agent_removed",
  },
};

test.each(Object.keys(losses))("a kept answer is not given again to %s", async (whose) => {
  const { token: tokenFor, lose, verdict, line, body } = losses[whose]!;
  const scene = await start();
  const { world } = scene;
  const token = await tokenFor(scene);
  const send = () =>
    ask(world, line ?? "POST /v1/boards/docs/messages", {
      token,
      body: body ?? { body: "a message in confidence" },
      headers: { "idempotency-key": "once" },
    });
  const first = await send();
  const again = await send();
  expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
  await lose(scene, token);
  const before = await stored(world);
  const late = await send();
  expect(late.verdict).toBe(verdict);
  const { id, token: seat } = JSON.parse(first.text) as { id?: string; token?: string };
  for (const told of ["in confidence", id ?? "none", seat ?? "none"])
    expect(late.text).not.toContain(told);
  expect(await stored(world)).toEqual(before);
});
