import fc from "fast-check";
import { expect } from "bun:test";
import { reads } from "../rules.ts";
import { boardCalled, memberOf, pick, type Actor, type Scene } from "../scene.ts";
import { standingOn } from "../standing.ts";
import { boardName } from "../drawn.ts";
import type { BoardModel } from "../model.ts";
import { command, type Command } from "../registry.ts";

const kinds = ["eyes", "heart"] as const;
interface Reaction {
  readonly board: string;
  readonly message: string;
  readonly reaction: (typeof kinds)[number];
}
/** Where somebody has reacted on a board. */
function ownOn(board: BoardModel, by: Actor) {
  const me = memberOf(board, by)?.id ?? "";
  return [...board.messages.values()].flatMap(({ id, reactions }) =>
    kinds.flatMap((reaction) =>
      reactions.get(reaction)?.includes(me) ? { message: id, reaction } : [],
    ),
  );
}
/** What is taken back is mostly there: whoever has not reacted mostly takes nothing back. */
const reacted = (actor: Actor, { boards }: Scene): boolean =>
  [...boards.values()].some((board) => ownOn(board, actor).length > 0);

const reacting = (
  name: string,
  operation: "addReaction" | "removeReaction",
  weight: number,
): Command =>
  command({
    name,
    weight,
    ...(operation === "removeReaction" && { who: reacted }),
    arbitrary: fc.record({
      board: boardName,
      message: fc.nat(50),
      reaction: fc.constantFrom(...kinds),
    }),
    choose(scene, by, { board: name, message, reaction }): Reaction | null {
      const board = boardCalled(scene, name);
      const there = operation === "removeReaction" && pick(ownOn(board, by), message);
      if (there && message % 8) return { board: name, ...there };
      const chosen = pick([...board.messages.values()].toReversed(), message);
      return chosen && { board: name, message: chosen.id, reaction };
    },
    model(scene, by, { board: name, message: id, reaction }) {
      const board = boardCalled(scene, name);
      const { refusal, me } = standingOn(scene, board, by, { guests: true });
      const message = board.messages.get(id)!;
      if (refusal === "agent_removed") return { refusal };
      if (!me || !reads(board, me, message)) return { refusal: "message_not_found" };
      if (board.archived) return { refusal: "board_archived" };
      const there = message.reactions.get(reaction)?.includes(me.id) ?? false;
      const adds = operation === "addReaction";
      return {
        refusal: null,
        events: there === adds ? [] : [adds ? "reaction.added" : "reaction.removed"],
      };
    },
    run: (_scene, { client }, { message, reaction }) =>
      client.send(operation, { params: { message, reaction } }),
  });

const acknowledging = command({
  name: "acknowledge",
  weight: 8,
  arbitrary: fc.record({
    board: boardName,
    back: fc.integer({ min: -1, max: 20 }),
    inbox: fc.boolean(),
  }),
  choose(scene, by, { board: name, back, inbox }) {
    const own = inbox && by.seat ? by.seat.board : name;
    return {
      board: own,
      up_to: Math.max(boardCalled(scene, own).head - back, 0),
      inbox: inbox && by.seat !== null,
    };
  },
  model(scene, by, { board: name, up_to }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by, { guests: true });
    if (refusal !== null) return { refusal };
    if (up_to > board.head) return { refusal: "ack_out_of_range" };
    const position = Math.max(board.positions.get(me.id)!, up_to);
    return {
      refusal: null,
      events: [],
      after(answer) {
        board.positions.set(me.id, position);
        expect(answer.read_up_to ?? answer.cursor).toBe(position);
      },
    };
  },
  run: (_scene, { client }, { board, up_to, inbox }) =>
    inbox
      ? client.send("ackInbox", { body: { up_to } })
      : client.send("ackBoard", { params: { board }, body: { up_to } }),
});

/** What is reacted to and read. */
export const messageCommands: readonly Command[] = [
  reacting("react", "addReaction", 7),
  reacting("take back", "removeReaction", 9),
  acknowledging,
];
