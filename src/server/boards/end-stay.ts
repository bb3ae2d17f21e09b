import type { Actor, EventData } from "../../contract/log.ts";
import { personAt } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { workingCodesOf } from "../../db/join-codes.ts";
import type { MemberRow } from "../../db/members.ts";
import { revokeCodes } from "./revoke-codes.ts";
import { recordAs } from "../record.ts";
import { dropParts } from "../tasks/drop-parts.ts";

/** The members whose stay ends: a person with their agents, or one agent. */
export interface Leaving {
  readonly member: MemberRow;
  /** The person's agents on the board. An agent that leaves has none. */
  readonly agents: readonly MemberRow[];
}

/**
 * Ends a stay on a board: gives up the members' tasks, calls `record` to log how the stay ended, and revokes the join codes
 * that the members made. Everything that ends a seat or a membership goes through here.
 */
export function endStay(
  tx: Tx,
  board: BoardRow,
  actor: Actor,
  { member, agents }: Leaving,
  record: () => void,
): void {
  const all = [member, ...agents];
  const codes = all.flatMap(({ row }) => workingCodesOf(tx, row));
  dropParts(tx, board, actor, all);
  record();
  revokeCodes(tx, board, actor, codes);
}

/** Ends an agent's seat. `prunedSince` says since when a pruned agent was disconnected. */
export function endSeat(
  tx: Tx,
  board: BoardRow,
  actor: Actor,
  seat: MemberRow,
  by: NonNullable<MemberRow["ended_by"]>,
  prunedSince?: string,
): void {
  const person = personAt(tx, seat.person_row)!;
  endStay(tx, board, actor, { member: seat, agents: [] }, () =>
    recordAs(tx, board, actor, by === "self" ? "agent.left" : "agent.removed", {
      member_id: seat.id,
      name: seat.name,
      person_id: person.id,
      owner: person.handle,
      removed_by: by,
      ...(prunedSince !== undefined && { pruned: true, disconnected_since: prunedSince }),
    }),
  );
}

/** The data of the event that ends a person's membership. */
export const departed = (
  tx: ReadTx,
  { member, agents }: Leaving,
): Pick<EventData<"person.removed">, "member_id" | "person_id" | "name" | "agents"> => ({
  member_id: member.id,
  person_id: personAt(tx, member.person_row)!.id,
  name: member.name,
  agents: agents.map(({ id }) => id),
});
