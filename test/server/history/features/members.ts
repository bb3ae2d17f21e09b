import fc from "fast-check";
import { expect } from "bun:test";
import { agents, command, hosts, people, type Command } from "../registry.ts";
import { addSeat, boardCalled, memberOf, pick } from "../scene.ts";
import { standingOn } from "../standing.ts";
import type { BoardModel, MemberModel, Recorded } from "../model.ts";
import { boardName } from "../drawn.ts";

const handle = fc.constantFrom("bo", "gus", "bo", "ana");
const roles = fc.constantFrom("member", "writer", "reviewer");

/** Whether somebody owns a board, or is an admin of the server: ana. */
const rules = (me: MemberModel | null) => me !== null && me.kind === "human" && me.owner;

/** The parts of tasks that are given up when seats end, one event each. */
const partsOf = (board: BoardModel, ids: readonly string[]): number =>
  [...board.tasks.values()]
    .filter(({ closed }) => closed === null)
    .flatMap(({ owner, helpers }) => [owner, ...helpers])
    .filter((id) => id !== null && ids.includes(id)).length;

/** That an end gave every part up, and told of the end itself. */
function expectParts(events: readonly Recorded[], parts: number, ended: Recorded["type"]): void {
  const types: string[] = events
    .map(({ type }) => type)
    .filter((type) => type !== "joincode.revoked");
  expect(types).toEqual([...Array<string>(parts).fill("task.dropped"), ended]);
  for (const event of events)
    if (event.type === "task.dropped") expect(event.data.by).toBe("seat_ended");
}

const agentsOf = (board: BoardModel, person: string): string[] =>
  [...board.members.values()]
    .filter((one) => one.active && one.kind === "agent" && one.person === person)
    .map(({ id }) => id);

const seating = command({
  name: "take a seat",
  weight: 4,
  who: hosts,
  arbitrary: fc.record({ board: boardName, role: roles }),
  choose: (_scene, _by, drawn) => drawn,
  model(scene, by, { board: name }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by);
    if (refusal !== null) return { refusal };
    if (board.archived) return { refusal: "board_archived" };
    return {
      refusal: null,
      events: ["member.joined"],
      after({ agent, token }) {
        addSeat(scene, by, name, { ...agent, token });
        expect(board.members.get(agent.id)).toMatchObject({ person: me.person, active: true });
      },
    };
  },
  run: (_scene, { client }, { board, role }) => client.send("join", { body: { board, role } }),
});

const leavingSeat = command({
  name: "leave a seat",
  weight: 1,
  who: agents,
  arbitrary: fc.record({}),
  choose: (_scene, { seat }) => ({ board: seat!.board }),
  model(scene, by, { board: name }) {
    const board = boardCalled(scene, name);
    const me = memberOf(board, by);
    if (!me) return { refusal: "agent_removed" };
    const parts = partsOf(board, [me.id]);
    return { refusal: null, after: (_, events) => expectParts(events, parts, "agent.left") };
  },
  run: (_scene, { client }) => client.send("leaveAsAgent"),
});

const removingAgent = command({
  name: "remove an agent",
  weight: 2,
  who: hosts,
  arbitrary: fc.record({ board: boardName, agent: fc.nat(9) }),
  choose(scene, _by, { board, agent }) {
    const agents = [...boardCalled(scene, board).members.values()].filter(
      ({ kind, active }) => kind === "agent" && active,
    );
    const chosen = pick(agents, agent);
    return chosen && { board, member: chosen.name, id: chosen.id };
  },
  model(scene, by, { board: name, id }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by);
    const own = board.members.get(id)!.person === by.person;
    // An admin may without being on the board; their own agents people always may.
    if (refusal !== null && (by.label === "ana" || own)) return {};
    if (refusal !== null) return { refusal };
    if (!own && !rules(me)) return { refusal: "owner_required" };
    const parts = partsOf(board, [id]);
    return { refusal: null, after: (_, events) => expectParts(events, parts, "agent.removed") };
  },
  run: (_scene, { client }, { board, member }) =>
    client.send("removeAgent", { params: { board, member } }),
});

const adding = command({
  name: "add a person",
  weight: 6,
  who: hosts,
  arbitrary: fc.record({ board: boardName, handle }),
  choose: (_scene, _by, drawn) => drawn,
  model: () => ({}),
  run: (_scene, { client }, { board, ...body }) =>
    client.send("addPerson", { params: { board }, body }),
});

const removingPerson = command({
  name: "take a person off",
  weight: 3,
  who: hosts,
  arbitrary: fc.record({ board: boardName, handle }),
  choose: (_scene, _by, drawn) => drawn,
  model(scene, by, { board: name, handle: of }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by);
    if (refusal !== null) return { refusal };
    const person = scene.people.get(of)!;
    if (person !== me.person && !rules(me)) return { refusal: "owner_required" };
    const there = [...board.members.values()].find(
      (one) => one.active && one.kind === "human" && one.person === person,
    );
    if (!there) return { refusal: "person_not_on_board" };
    if (there.owner) return {};
    const parts = partsOf(board, [there.id, ...agentsOf(board, person)]);
    const end = person === me.person ? "person.left" : "person.removed";
    return { refusal: null, after: (_, events) => expectParts(events, parts, end) };
  },
  run: (_scene, { client }, params) => client.send("removePerson", { params }),
});

const leaving = command({
  name: "leave",
  weight: 2,
  who: people,
  arbitrary: fc.record({ board: boardName }),
  choose: (_scene, _by, drawn) => drawn,
  model(scene, by, { board: name }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by, { guests: true });
    if (refusal !== null) return { refusal };
    if (me.owner) return {};
    const parts = partsOf(board, [me.id, ...agentsOf(board, me.person)]);
    return { refusal: null, after: (_, events) => expectParts(events, parts, "person.left") };
  },
  run: (_scene, { client }, params) => client.send("leaveBoard", { params }),
});

const raising = command({
  name: "make an owner",
  weight: 1,
  who: hosts,
  arbitrary: fc.record({ board: boardName, handle }),
  choose: (_scene, _by, drawn) => drawn,
  model: () => ({}),
  run: (_scene, { client }, { board, ...body }) =>
    client.send("addOwner", { params: { board }, body }),
});

const inviting = command({
  name: "invite the guest",
  weight: 2,
  who: hosts,
  arbitrary: fc.record({ board: boardName, role: roles }),
  choose: (_scene, _by, drawn) => drawn,
  model: (scene, _by, { board }) => ({
    after: ({ code }) => void scene.guestCodes.push({ board, code }),
  }),
  run: (_scene, { client }, { board, role }) =>
    client.send("createJoinCode", { params: { board }, body: { role, guest: "gus" } }),
});

const visiting = command({
  name: "come as a guest",
  weight: 3,
  who: ({ guest, seat }) => guest && !seat,
  arbitrary: fc.record({}),
  choose: (scene) => scene.guestCodes.at(-1) ?? null,
  model: (scene, by, { board }) => ({
    after({ agent, token }) {
      addSeat(scene, by, board, { ...agent, token });
      expect(boardCalled(scene, board).members.get(agent.id)?.active).toBe(true);
    },
  }),
  run: (_scene, { client }, { code }) => client.send("join", { body: { code } }),
});

/** Who comes and who goes. */
export const memberCommands: readonly Command[] = [
  seating,
  leavingSeat,
  removingAgent,
  adding,
  removingPerson,
  leaving,
  raising,
  inviting,
  visiting,
];
