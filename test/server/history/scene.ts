import type { Client } from "../../../src/client/client.ts";
import type { EventRow } from "../../../src/db/log/chain.ts";
import { memberKeyOf, readPositionOf } from "../../../src/db/members.ts";
import { placeOf, seqOf } from "../../../src/db/log/log-place.ts";
import { startWorld, type World } from "../../support/servers/server-in-process.ts";
import { features } from "./features.ts";
import { Broken, fold, type BoardModel, type MemberModel, type Recorded } from "./model.ts";

/** Somebody with a credential: a person, or an agent with its seat. */
export interface Actor {
  /** Handle, or name and board. */
  readonly label: string;
  readonly client: Client;
  /** Id of the person, of an agent its owner. */
  readonly person: string;
  readonly guest: boolean;
  /** An agent's board and member; null of a person. */
  readonly seat: { readonly board: string; readonly member: string } | null;
}

/** A server, who acts on it, and the model of what its logs say. */
export interface Scene {
  readonly world: World;
  readonly actors: Actor[];
  readonly boards: Map<string, BoardModel>;
  /** People by their handles: their ids. */
  readonly people: Map<string, string>;
  /** Codes that a guest was given and has not used. */
  readonly guestCodes: { board: string; code: string }[];
}

/** The board of that name. */
export const boardCalled = ({ boards }: Scene, name: string): BoardModel =>
  [...boards.values()].find((board) => board.name === name)!;

/** One of a list, by a number that may be any. */
export const pick = <T>(list: readonly T[], number: number): T | null =>
  list.length ? list[number % list.length]! : null;

/** The member that somebody is on a board now. */
export function memberOf(board: BoardModel, { person, seat }: Actor): MemberModel | null {
  const members = [...board.members.values()].filter(({ active }) => active);
  return (
    members.find((one) =>
      seat ? one.id === seat.member : one.kind === "human" && one.person === person,
    ) ?? null
  );
}

/** Reads what was appended to the logs since, and brings the model after it. Gives the events in their order. */
export function follow({ world, boards }: Scene): Recorded[] {
  const fresh = world.db.read((tx) =>
    tx
      .all<{ row: number; id: string }>("SELECT row, id FROM board ORDER BY row")
      .flatMap(({ row, id }) =>
        tx
          .all<EventRow>(
            "SELECT * FROM event WHERE place > ? AND place < ? ORDER BY place",
            placeOf(row, boards.get(id)?.head ?? 0),
            placeOf(row + 1, 0),
          )
          .map((event) => recorded(id, event)),
      ),
  );
  for (const event of fresh) {
    fold(boards, event);
    for (const feature of features) feature.fold?.(boards.get(event.board)!, event);
  }
  return fresh;
}

const recorded = (board: string, { place, type, at, actor, data }: EventRow) =>
  ({
    board,
    type,
    at,
    seq: seqOf(place),
    actor: JSON.parse(actor) as unknown,
    data: JSON.parse(data) as unknown,
  }) as Recorded;

/** Where everybody's reading begins who has come: at the head, which is their own coming or what followed it at once. */
export function seatNewcomers({ world, boards }: Scene, events: readonly Recorded[]): void {
  for (const { type, board: id, seq, data } of events) {
    if (type !== "member.joined" && type !== "person.added") continue;
    const board = boards.get(id)!;
    const at = positionOf(world, data.member_id);
    if (at < seq || at > board.head)
      throw new Broken(`@${data.name} begins to read at ${at}, having come with ${seq}`);
    board.positions.set(data.member_id, at);
  }
}

/** A read position as it is stored. */
export const positionOf = ({ db }: World, member: string): number =>
  db.read((tx) => readPositionOf(tx, memberKeyOf(tx, member)!.row));

/** Gives an agent of somebody's to the scene. */
export function addSeat(scene: Scene, owner: Actor, board: string, seat: Seat): void {
  const { person, guest } = owner;
  scene.actors.push({
    label: `${seat.name} on ${board}`,
    person,
    guest,
    client: scene.world.as(seat.token),
    seat: { board, member: seat.id },
  });
}
interface Seat {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

/**
 * Ana, who owns two boards, yard where everybody reads everything, and vault where agents read what is addressed to them;
 * bo and the guest gus, who are on both; and on each two agents of ana's, one of bo's and one of gus's.
 */
export async function startScene(): Promise<Scene> {
  const world = await startWorld();
  const scene: Scene = { world, actors: [], boards: new Map(), people: new Map(), guestCodes: [] };
  const come = (label: string, id: string, client: Client, guest = false): Actor => {
    const actor = { label, client, guest, person: id, seat: null };
    scene.people.set(label, id);
    scene.actors.push(actor);
    return actor;
  };
  const template = "writer-reviewer";
  for (const [name, preset] of [
    ["yard", "starter"],
    ["vault", "recommended"],
  ] as const)
    await world.admin.call("createBoard", { body: { name, preset, template } });
  const ana = come("ana", (await world.admin.call("getMe")).id, world.admin);
  const other = await world.person("bo");
  const bo = come("bo", other.id, other);
  let gus: Actor | null = null;
  for (const board of ["yard", "vault"]) {
    const params = { board };
    await world.admin.call("addPerson", { params, body: { handle: "bo" } });
    for (const [owner, name, role] of [
      [ana, "pen", "writer"],
      [ana, "eye", "reviewer"],
      [bo, "hand", "member"],
    ] as const) {
      const { agent, token } = await owner.client.call("join", { body: { board, role, name } });
      addSeat(scene, owner, board, { id: agent.id, name: agent.name, token });
    }
    const body = { role: "writer", guest: "gus" };
    const { code } = await world.admin.call("createJoinCode", { params, body });
    if (!gus) {
      const joined = await world
        .as()
        .call("guestJoin", { body: { code, key_name: "box", name: "fly" } });
      gus = come("gus", joined.person.id, world.as(joined.key.token), true);
      addSeat(scene, gus, board, { ...joined.agent, token: joined.token });
    } else {
      const { agent, token } = await gus.client.call("join", { body: { code, name: "fly" } });
      addSeat(scene, gus, board, { ...agent, token });
    }
  }
  seatNewcomers(scene, follow(scene));
  return scene;
}
