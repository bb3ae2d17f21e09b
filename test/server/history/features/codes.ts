import fc from "fast-check";
import { expect } from "bun:test";
import { slot, type BoardModel, type MemberModel } from "../model.ts";
import { command, hosts, type Feature } from "../registry.ts";
import { allows } from "../rules.ts";
import { addSeat, boardCalled, pick } from "../scene.ts";
import { standingOn } from "../standing.ts";
import { boardName } from "../drawn.ts";

/** A join code that was handed out. */
interface Code {
  readonly id: string;
  /** Id of the member who made it. */
  readonly maker: string;
  readonly guest: string | null;
  readonly expires: string;
  revoked: boolean;
  uses: number;
}
/** The codes of a board, oldest first. */
const codesOf = slot(() => new Map<string, Code>());
/** What can be joined with. No event tells of it. */
const secretsOf = slot(() => new Map<string, string>());

const making = command({
  name: "make a code",
  weight: 3,
  arbitrary: fc.record({ board: boardName, ttl: fc.constantFrom(60, 86_400) }),
  choose: (_scene, { seat }, { board, ttl }) => ({ board: seat?.board ?? board, ttl }),
  model(scene, by, { board: name }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by);
    if (refusal !== null) return { refusal };
    if (!allows(board, me, "invite")) return { refusal: "forbidden" };
    if (board.archived) return { refusal: "board_archived" };
    return {
      refusal: null,
      events: ["joincode.created"],
      after: ({ id, code }) => void secretsOf(board).set(id, code),
    };
  },
  run: (_scene, { client }, { board, ttl }) =>
    client.send("createJoinCode", {
      params: { board },
      body: { role: "member", ttl_seconds: ttl },
    }),
});

const joining = command({
  name: "join by a code",
  weight: 3,
  who: hosts,
  arbitrary: fc.record({ board: boardName, chosen: fc.nat(9) }),
  choose(scene, _by, { board, chosen }) {
    const code = pick([...secretsOf(boardCalled(scene, board)).values()], chosen);
    return code === null ? null : { board, code };
  },
  model: (scene, by, { board }) => ({
    after: ({ agent, token }) => addSeat(scene, by, board, { ...agent, token }),
  }),
  run: (_scene, { client }, { code }) => client.send("join", { body: { code } }),
});

const revoking = command({
  name: "revoke a code",
  weight: 2,
  arbitrary: fc.record({ board: boardName, chosen: fc.nat(9) }),
  choose(scene, { seat }, { board: drawn, chosen }) {
    const board = seat?.board ?? drawn;
    const code = pick([...codesOf(boardCalled(scene, board)).values()], chosen);
    return code && { board, join_code: code.id };
  },
  model(scene, by, { board: name, join_code }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by);
    if (refusal !== null) return { refusal };
    const { maker, revoked } = codesOf(board).get(join_code)!;
    if (me.kind === "agent" && maker !== me.id) return { refusal: "forbidden" };
    return { refusal: null, events: revoked ? [] : ["joincode.revoked"] };
  },
  run: (_scene, { client }, params) => client.send("revokeJoinCode", { params }),
});

/** The codes that a member may see: an owner all, a person theirs and their agents', an agent its own. */
const seenBy = (board: BoardModel, me: MemberModel): Code[] =>
  [...codesOf(board).values()].filter(({ maker }) => {
    if (me.kind === "agent") return maker === me.id;
    return me.owner || board.members.get(maker)!.person === me.person;
  });

function stateOf({ guest, uses, revoked, expires }: Code, now: string) {
  if (guest !== null && uses > 0) return "redeemed" as const;
  if (revoked) return "revoked" as const;
  return expires <= now ? ("expired" as const) : ("active" as const);
}

/** What is handed out for joining. */
export const codes: Feature = {
  commands: [making, joining, revoking],
  fold(board, { type, data, actor }) {
    const known = codesOf(board);
    if (type === "joincode.created")
      known.set(data.join_code_id, {
        id: data.join_code_id,
        maker: actor.member_id!,
        guest: data.guest ?? null,
        expires: data.expires_at,
        revoked: false,
        uses: 0,
      });
    if (type === "joincode.revoked") known.get(data.join_code_id)!.revoked = true;
    if (type === "member.joined" && data.kind === "agent" && data.join_code_id !== null)
      known.get(data.join_code_id)!.uses += 1;
  },
  readings: [
    {
      name: "join codes",
      async check({ scene, board, actor, me }) {
        if (actor.guest) return;
        const now = scene.world.clock.now.toISOString();
        const expected = seenBy(board, me).map((code) => ({
          id: code.id,
          guest: code.guest,
          uses: code.uses,
          state: stateOf(code, now),
        }));
        for (const ended of [false, true]) {
          const { join_codes } = await actor.client.call("listJoinCodes", {
            params: { board: board.name },
            query: { ended },
          });
          expect(
            join_codes.map(({ id, guest, uses, state }) => ({ id, guest, uses, state })),
          ).toEqual(expected.filter(({ state }) => ended || state === "active"));
        }
      },
    },
  ],
};
