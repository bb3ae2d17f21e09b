import type { EventData, EventType } from "../../contract/log.ts";
import { endLoopsOf, endLoopsOn, insertDamped } from "../agent-loops.ts";
import { askerDecidedFor } from "../asks.ts";
import type { Tx } from "../engine/database.ts";
import type { memberKeyOf } from "../members.ts";
import { placeOfMessage } from "../messages.ts";
import type { Projected } from "./event-projection.ts";
import { memberKey } from "./rows-by-id.ts";

interface PostedBy {
  readonly boardRow: number;
  readonly place: number;
  readonly sender: NonNullable<ReturnType<typeof memberKeyOf>>;
}

/**
 * Records the agents that a message does not wake, and ends the loops to which it is a sign of work. Returns the rows of
 * these agents.
 */
export function projectLoops(
  tx: Tx,
  { boardRow, place, sender }: PostedBy,
  { ask, answer, damped = [], ring }: EventData<"message.posted">,
): number[] {
  if (sender.kind === "human") endLoopsOn(tx, boardRow);
  else if (ask) endLoopsOf(tx, boardRow, sender.row);
  const decidedFor = answer
    ? askerDecidedFor(tx, placeOfMessage(tx, answer.ask_id)!, answer)
    : null;
  if (decidedFor !== null) endLoopsOf(tx, boardRow, decidedFor);
  return damped.map((id) => {
    const { row } = memberKey(tx, id);
    insertDamped(tx, {
      boardRow,
      senderRow: sender.row,
      memberRow: row,
      place,
      ring: ring === true,
    });
    return row;
  });
}

/** Ends the loops of an agent that did something with a task or a file. */
export function projectWork(tx: Tx, { boardRow, actor }: Projected<EventType>): void {
  if (actor.kind !== "agent") return;
  const memberRow = memberKey(tx, actor.member_id).row;
  endLoopsOf(tx, boardRow, memberRow);
  tx.signal({ about: "work", boardRow, memberRow });
}
