import { loopsOfPerson, type LoopRow } from "../../db/agent-loops.ts";
import { postedAt } from "../../db/messages.ts";
import { afterSeconds, minuteSeconds } from "../time.ts";
import type { Kind, Open } from "./item.ts";
import { namesOf, shownMessage, writeTo } from "./shown-message.ts";
import { memberOf, type View } from "./view.ts";

/** A loop ends when its agents have written nothing to each other for so long. */
const quietSeconds = 30 * minuteSeconds;

/** Agents that only wake each other, one of them the person's. Two are one item, and so are all agents of a ring on a board. */
export const loopingAgents: Kind = (view) => {
  const { tx, caller } = view;
  const rows = loopsOfPerson(tx, caller.person.row).filter(({ board_row }) =>
    view.board(board_row),
  );
  const loops = [...Map.groupBy(rows, loopOf).values()].map((loop) => ({
    loop,
    ends: afterSeconds(postedAt(tx, newestOf(loop)).at, quietSeconds),
  }));
  const lasting = loops.filter(({ ends }) => ends > tx.now);
  return {
    open: lasting.map(({ loop }) => openLoop(view, loop)),
    changesAt: lasting.map(({ ends }) => ends),
  };
};

/** A name for the loop that a row is a part of: both directions between two agents, or a board's ring. */
const loopOf = ({ ring, board_row, member_row, sender_row }: LoopRow): string =>
  ring
    ? `ring ${board_row}`
    : `pair ${Math.min(member_row, sender_row)} ${Math.max(member_row, sender_row)}`;

const newestOf = (loop: readonly LoopRow[]): number => Math.max(...loop.map(({ place }) => place));

function openLoop({ tx, board }: View, loop: readonly LoopRow[]): Open {
  const began = Math.min(...loop.map((row) => row.began));
  const rows = new Set(loop.flatMap(({ member_row, sender_row }) => [member_row, sender_row]));
  const agents = [...rows].sort((a, b) => a - b).map((row) => memberOf(tx, row));
  const there = board(loop[0]!.board_row)!;
  const first = postedAt(tx, began);
  return {
    kind: "agents_in_loop",
    // A ring grows, and it is the same ring.
    cause: `${first.data.message_id}.${loop[0]!.ring ? "ring" : agents.map(({ id }) => id).join(".")}`,
    urgency: "now",
    at: first.at,
    board: there,
    show() {
      const { text, ref } = shownMessage(tx, newestOf(loop));
      return {
        from: null,
        title: `${namesOf(agents)} wrote to each other and nothing else happened, so they do not wake each other any more`,
        text,
        ref: { ...ref, agents: agents.map(({ id, name }) => ({ member_id: id, name })) },
        actions: [
          writeTo(there.name, agents),
          { name: "open", command: `service watch --board ${there.name}` },
        ],
      };
    },
  };
}
