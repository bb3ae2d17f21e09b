import { operationNamed } from "../../../src/contract/index.ts";
import { startWorld, type World } from "../servers/server-in-process.ts";
import { boards, type BoardKind, type Credential } from "./expected-answers.ts";
import type { OnEachBoard, Sample, Target } from "../../server/operations.ts";
import { select } from "../boards/board-with-pairing.ts";
import { ask, type Heard } from "../raw-requests.ts";

type BoardTarget = Omit<Target, "self" | "loginCode" | "session" | "pairings" | "scout">;
type Headers = Readonly<Record<string, string>>;
type Person = Awaited<ReturnType<World["person"]>>;
type Seat = Awaited<ReturnType<World["seat"]>>;

const nameOf: OnEachBoard<string> = {
  open: "b-open",
  private: "b-private",
  archived: "b-archived",
  archivedPrivate: "b-archived-private",
  deleted: "b-deleted",
  missing: "b-missing",
};
/** The boards that there are, and two for agents that ask about the deleted and the missing one. */
const seatedOn: OnEachBoard<string> = { ...nameOf, deleted: "b-plaza", missing: "b-yard" };
const hidden: readonly BoardKind[] = ["private", "archivedPrivate"];
/** For each board another one. */
const next: OnEachBoard<BoardKind> = {
  open: "private",
  private: "archived",
  archived: "archivedPrivate",
  archivedPrivate: "deleted",
  deleted: "missing",
  missing: "open",
};

const hour = 60 * 60;
const nobody = (prefix: string) => `${prefix}_${"0".repeat(26)}`;
const forged = (prefix: string) => `${prefix}_${"x".repeat(43)}`;
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

const forEach = <T>(value: (board: BoardKind) => T) =>
  Object.fromEntries(boards.map((board) => [board, value(board)])) as Record<BoardKind, T>;
const everywhere = (headers: Headers) => forEach(() => headers);
/** The same of what takes its time, one board after another. */
async function forEachInTurn<T>(value: (board: BoardKind) => Promise<T>) {
  const found: Partial<Record<BoardKind, T>> = {};
  for (const board of boards) found[board] = await value(board);
  return found as Record<BoardKind, T>;
}

/** A session of a browser that a key signs in, and what its page sends. */
async function signIn(world: World, key: string) {
  const { headers, text } = await ask(world, "POST /v1/browser-sessions", { body: { key } });
  const cookie = headers["set-cookie"]!.split(";")[0]!;
  const { id, csrf_token } = JSON.parse(text) as { id: string; csrf_token: string };
  const page = { cookie, origin: world.url, "x-service-csrf": csrf_token } as const;
  return { id, page, token: cookie.split("=")[1]! };
}
/** One for each board: signing out at one leaves the others. */
const signInForEach = (world: World, key: string) => forEachInTurn(() => signIn(world, key));

/**
 * A server with a board of each kind, all made by `owner`. On each that there is are `member`, `guest`, `page`, who has a
 * browser, and `runner`, who has a machine, with agents of owner, member and guest. Nobody who asks stands in another's way.
 */
export async function setAccessScene() {
  const world = await startWorld();
  const { admin } = world;
  const people = await inviteEverybody(world);
  const { owner, member, stranger, page, runner, second } = people;
  await admin.call("setServerRole", {
    params: { handle: second.handle },
    body: { server_role: "admin" },
  });
  await admin.call("createKey", { body: { name: "machine" } });

  let guestKey = "";
  const seats = await forEachInTurn((board) =>
    settle(seatedOn[board], hidden.includes(board) ? "private" : "open"),
  );
  const deleted = await settle(nameOf.deleted, "open");
  const targets = await forEachInTurn(target);
  const ended = await endAll(world, people);
  const pairings = await forEachInTurn(askForPairings);
  const endedPairings = await endPairings();
  const archive = (board: BoardKind) =>
    owner.call("archiveBoard", { params: { board: nameOf[board] } });
  for (const board of ["archived", "archivedPrivate", "deleted"] as const) await archive(board);
  await owner.call("deleteBoard", { params: { board: nameOf.deleted } });

  /** Makes a board, brings everybody onto it and seats their agents. */
  async function settle(board: string, visibility: "open" | "private") {
    const { id } = await owner.call("createBoard", {
      body: { name: board, visibility, title: "A title" },
    });
    const params = { board };
    if (visibility === "private")
      await owner.call("updateBoard", { params, body: { agents_add_people: true } });
    for (const { handle } of [member, page, runner])
      await owner.call("addPerson", { params, body: { handle } });
    return {
      id,
      writer: await world.seat(owner, board, { name: "writer", session: "codex:1" }),
      scout: await world.seat(member, board, { name: "scout", session: "codex:2" }),
      visitor: await bringGuest(board),
    };
  }

  /** Brings the guest onto a board; gives the token of their agent there. */
  async function bringGuest(board: string): Promise<string> {
    const body = { role: "member", guest: "guest" };
    const { code } = await owner.call("createJoinCode", { params: { board }, body });
    if (guestKey) return (await world.as(guestKey).call("join", { body: { code } })).token;
    const { key, token } = await world
      .as()
      .call("guestJoin", { body: { code, key_name: "machine" } });
    guestKey = key.token;
    return token;
  }

  /** A pairing request of each kind on a board, and the session with which the member answers the one that waits. */
  async function askForPairings(board: BoardKind) {
    const none = nobody("prq");
    if (board === "missing")
      return {
        pairings: { waiting: none, declined: none, cancelled: none },
        scout: nobody("mem"),
        token: "",
      };
    const { id, writer, scout } = board === "deleted" ? deleted : seats[board];
    const asking = async () => {
      const { id: request } = await owner.call("createPairingRequest", {
        body: {
          board_id: id,
          recipient_id: member.id,
          initiating_agent_id: writer.id,
          work: "Review",
        },
      });
      return request;
    };
    const [waiting, declined, cancelled] = [await asking(), await asking(), await asking()];
    await member.call("declinePairingRequest", { params: { pairing: declined } });
    await owner.call("cancelPairingRequest", { params: { pairing: cancelled } });
    const { token } = await select(world, member, waiting, "recipient", scout.id);
    return { pairings: { waiting, declined, cancelled }, scout: scout.id, token };
  }

  /** Sessions of the member's that are not paired any more, each in its own way. */
  async function endPairings(): Promise<OnEachBoard<Headers>> {
    const { id: board_id, writer, scout } = seats.open;
    const asking = { board_id, recipient_id: member.id, initiating_agent_id: writer.id };
    const begin = async () => {
      const body = { ...asking, work: "Review" };
      const { id } = await owner.call("createPairingRequest", { body });
      return { id, ...(await select(world, member, id, "recipient", scout.id)) };
    };
    const [declined, cancelled, replaced, renewed] = [
      await begin(),
      await begin(),
      await begin(),
      await begin(),
    ] as const;
    await member.call("declinePairingRequest", { params: { pairing: declined!.id } });
    await owner.call("cancelPairingRequest", { params: { pairing: cancelled!.id } });
    await select(world, member, replaced!.id, "recipient", scout.id, {
      session: "b",
      replace: true,
    });
    await select(world, member, renewed!.id, "recipient", scout.id);
    return {
      open: bearer(declined!.token),
      private: bearer(cancelled!.token),
      archived: bearer(replaced!.token),
      archivedPrivate: bearer(renewed!.token),
      deleted: bearer(pairings.deleted.token),
      missing: bearer(forged("abp")),
    };
  }

  /** What there is to ask about on a board. */
  async function target(board: BoardKind): Promise<BoardTarget> {
    const name = nameOf[board];
    if (board === "missing")
      return {
        board: name,
        id: nobody("brd"),
        message: nobody("msg"),
        seq: 1,
        writer: nobody("mem"),
        code: "000-000",
        spare: nobody("jc"),
        guest: "000-000",
      };
    const params = { board: name };
    const message = await owner.call("postMessage", { params, body: { body: "first" } });
    await owner.call("createTask", { params, body: { title: "first" } });
    await owner.upload({ params, query: { name: "plan.md" } }, new Blob(["Plan"]));
    const codeFor = (guest?: string) =>
      owner.call("createJoinCode", { params, body: { role: "member", ...(guest && { guest }) } });
    const { id, writer } = board === "deleted" ? deleted : seats[board];
    return {
      board: name,
      id,
      message: message.id,
      seq: message.seq,
      writer: writer.id,
      code: (await codeFor()).code,
      spare: (await codeFor()).id,
      guest: (await codeFor(`guest-of-${name}`)).code,
    };
  }

  const sessions = {
    page: await signInForEach(world, page.token),
    bearer: await signInForEach(world, page.token),
    admin: await signInForEach(world, second.token),
    guest: await signInForEach(world, guestKey),
    partial: await signIn(world, page.token),
    ended: await signIn(world, page.token),
    endedToken: await signIn(world, page.token),
  };
  for (const { id } of [sessions.ended, sessions.endedToken])
    await page.call("endBrowserSession", { params: { session: id } });
  const { cookie, origin, "x-service-csrf": csrf } = sessions.partial.page;
  const { code: loginCode } = await owner.call("createLoginCode");
  const { token: machine } = await runner.call("createDelegation", { body: { name: "machine" } });

  const presented: Record<Credential, OnEachBoard<Headers>> = {
    ...ended,
    none: everywhere({}),
    malformed: {
      open: { authorization: "" },
      private: { authorization: "Bearer" },
      archived: { authorization: "Bearer " },
      archivedPrivate: { authorization: "Basic b3duZXI6" },
      deleted: { authorization: owner.token },
      missing: { authorization: `Bearer ${owner.token} ${owner.token}` },
    },
    unknown: {
      open: bearer(forged("abh")),
      private: bearer(forged("aba")),
      archived: bearer(forged("abd")),
      archivedPrivate: bearer(owner.token.replace("abh_", "aba_")),
      deleted: bearer(owner.token.replace("abh_", "abb_")),
      missing: bearer(owner.token.replace("abh_", "abx_")),
    },
    agentOfDeletedBoard: everywhere(bearer(deleted.scout.token)),
    endedBrowser: everywhere(sessions.ended.page),
    endedBrowserToken: everywhere(bearer(sessions.endedToken.token)),
    endedPairing: endedPairings,
    owner: everywhere(bearer(owner.token)),
    member: everywhere(bearer(member.token)),
    stranger: everywhere(bearer(stranger.token)),
    guest: everywhere(bearer(guestKey)),
    admin: everywhere(bearer(admin.token)),
    ownerAgent: forEach((board) => bearer(seats[board].writer.token)),
    memberAgent: forEach((board) => bearer(seats[board].scout.token)),
    guestAgent: forEach((board) => bearer(seats[board].visitor)),
    agentElsewhere: forEach((board) => bearer(seats[next[board]].scout.token)),
    browser: forEach((board) => sessions.page[board].page),
    browserWithoutOrigin: everywhere({ cookie, "x-service-csrf": csrf }),
    browserWithoutCsrf: everywhere({ cookie, origin }),
    browserToken: forEach((board) => bearer(sessions.bearer[board].token)),
    adminBrowser: forEach((board) => sessions.admin[board].page),
    guestBrowser: forEach((board) => sessions.guest[board].page),
    delegation: everywhere(bearer(machine)),
    pairing: forEach((board) =>
      bearer(["deleted", "missing"].includes(board) ? pairings.open.token : pairings[board].token),
    ),
  };
  // The use of a key is noted once a minute. Every key has been used now, so a refusal leaves nothing at all behind.
  const keys = ["owner", "member", "stranger", "guest", "admin"] as const;
  const started = ["browser", "adminBrowser", "delegation"] as const;
  for (const using of [...keys, ...started])
    await ask(world, "GET /v1/boards", { headers: presented[using].open });
  await world.db.write(() => null);

  const shared = { loginCode, session: sessions.partial.token };
  return {
    world,
    /** Asks for a sample as one kind of credential, about one of the boards; malformed, it fits no schema. */
    async ask(
      sample: Sample,
      credential: Credential,
      board: BoardKind,
      { malformed = false } = {},
    ): Promise<Heard> {
      const self = selves[credential] ?? owner.handle;
      const {
        params = {},
        query = {},
        body,
      } = sample.request({
        ...targets[board],
        ...pairings[board],
        ...shared,
        self,
      });
      const { method, path } = operationNamed(sample.of);
      const filled = path.replace(/:(\w+)/g, (_, key: string) => String(params[key]));
      const search = new URLSearchParams(malformed ? { surprise: "1" } : query).toString();
      const sent = malformed && method !== "GET" ? "{" : body;
      return ask(world, `${method} ${filled}${search && `?${search}`}`, {
        ...(sent && { body: sent }),
        headers: presented[credential][board],
      });
    },
    /** Whether a sample only reads. */
    reads: ({ of }: Sample) => operationNamed(of).method === "GET",
    /** An answer without what was asked about, which it may repeat. */
    unnamed: ({ text }: Heard, board: BoardKind) =>
      text.replaceAll(targets[board].board, "…").replaceAll(targets[board].id, "…"),
  };
}
export type AccessScene = Awaited<ReturnType<typeof setAccessScene>>;

/** Whose handle it is that a credential's person has. */
const selves: Partial<Record<Credential, string>> = {
  member: "member",
  memberAgent: "member",
  agentElsewhere: "member",
  stranger: "stranger",
  guest: "guest",
  guestAgent: "guest",
  guestBrowser: "guest",
  admin: "ana",
  adminBrowser: "second",
  browser: "page",
  browserWithoutOrigin: "page",
  browserWithoutCsrf: "page",
  browserToken: "page",
  delegation: "runner",
  pairing: "member",
};

const handles = [
  ...(["owner", "member", "stranger", "page", "runner", "second"] as const),
  ...(["newcomer", "lost", "banished"] as const),
];
type People = Record<(typeof handles)[number], Person>;

async function inviteEverybody(world: World): Promise<People> {
  const people: Partial<People> = {};
  for (const handle of handles) people[handle] = await world.person(handle);
  return people as People;
}

/** Credentials of the open board that stop working, each in its own way; an hour passes. */
async function endAll(world: World, { owner, member, runner, lost, banished }: People) {
  const board = nameOf.open;
  const params = { board };
  for (const { handle } of [lost, banished])
    await owner.call("addPerson", { params, body: { handle } });
  const keyOf = (body: { name: string; ttl_seconds?: number }) => lost.call("createKey", { body });
  const [revoked, expired] = [
    await keyOf({ name: "revoked" }),
    await keyOf({ name: "expired", ttl_seconds: hour }),
  ];
  const byRevoked = await outfit(revoked.token);
  const byExpired = await outfit(expired.token);
  const byBanished = await outfit(banished.token);
  const removed = await world.seat(member, board);
  const replaced = await delegationOf(runner.token, "replaced");
  await delegationOf(runner.token, "replaced");

  await lost.call("revokeKey", { params: { key: revoked.id } });
  await world.admin.call("removeFromServer", { params: { handle: banished.handle } });
  await owner.call("removeAgent", { params: { board, member: removed.name } });
  world.pass(hour);

  return {
    revokedKey: everywhere(bearer(revoked.token)),
    expiredKey: everywhere(bearer(expired.token)),
    agentOfRevokedKey: everywhere(bearer(byRevoked.seat.token)),
    agentOfExpiredKey: everywhere(bearer(byExpired.seat.token)),
    removedPerson: everywhere(bearer(banished.token)),
    removedPersonsAgent: everywhere(bearer(byBanished.seat.token)),
    removedAgent: everywhere(bearer(removed.token)),
    endedDelegation: {
      open: bearer(replaced),
      private: bearer(byRevoked.machine),
      archived: bearer(byExpired.machine),
      archivedPrivate: bearer(byBanished.machine),
      deleted: bearer(replaced),
      missing: bearer(byRevoked.machine),
    },
  } satisfies Partial<Record<Credential, OnEachBoard<Headers>>>;

  /** What a key starts: a seat and a machine's delegation. */
  async function outfit(key: string): Promise<{ seat: Seat; machine: string }> {
    return {
      seat: await world.seat(world.as(key), board),
      machine: await delegationOf(key, "box"),
    };
  }
  async function delegationOf(key: string, name: string): Promise<string> {
    return (await world.as(key).call("createDelegation", { body: { name } })).token;
  }
}
