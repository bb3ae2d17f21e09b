import type { BoardPerson } from "../../contract/boards.ts";
import { refuse } from "../../contract/refusal.ts";
import { personAt } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { agentsOfPerson, memberNamed, peopleOf, type MemberRow } from "../../db/members.ts";
import type { Static } from "@sinclair/typebox";
import type { Caller } from "../access/identify.ts";
import { actorOf } from "../actor.ts";
import type { Handler } from "../handler.ts";
import { recordAs, recordBy } from "../record.ts";
import { departed, endStay } from "./end-stay.ts";
import { boardPersonRecord } from "./views.ts";

export const removePerson: Handler<"removePerson"> = (tx, { caller, board, me }, { params }) => {
  return endMembership(tx, caller, board, me, personOn(tx, board, params.handle));
};

/** The member of a person on the board. Refuses a handle that nobody on the board has. */
function personOn(tx: ReadTx, board: BoardRow, handle: string): MemberRow {
  const member = peopleOf(tx, board.row).find((one) => one.handle === handle);
  if (!member) throw refuse("person_not_on_board", { handle, board: board.name });
  return member;
}

export const leaveBoard: Handler<"leaveBoard"> = (tx, { caller, board, me }) =>
  endMembership(tx, caller, board, me, me);

/**
 * Takes a person and their agents off a board. It is recorded as leaving if the caller is that person. Refuses the last
 * owner.
 */
function endMembership(
  tx: Tx,
  caller: Caller,
  board: BoardRow,
  me: MemberRow,
  member: MemberRow,
): Static<typeof BoardPerson> {
  const owners = peopleOf(tx, board.row).filter(({ access }) => access === "admin");
  if (member.access === "admin" && owners.length === 1)
    throw refuse("last_owner", { board: board.name });
  const record = boardPersonRecord(tx, board, member);
  const leaving = { member, agents: agentsOfPerson(tx, board.row, member.person_row) };
  const actor = actorOf(caller, me);
  endStay(tx, board, actor, leaving, () =>
    recordAs(
      tx,
      board,
      actor,
      member.row === me.row ? "person.left" : "person.removed",
      departed(tx, leaving),
    ),
  );
  return record;
}

export const addOwner: Handler<"addOwner"> = (tx, { caller, board, me }, { body }) => {
  const member = personOn(tx, board, body.handle);
  const person = personAt(tx, member.person_row)!;
  if (person.server_role === "guest")
    throw refuse("guest_never_owns", { handle: body.handle, board: board.name });
  if (member.access !== "admin")
    recordBy(tx, { caller, board, me })("person.made_owner", {
      member_id: member.id,
      person_id: person.id,
      name: member.name,
    });
  return boardPersonRecord(tx, board, memberNamed(tx, board.row, member.name)!);
};
