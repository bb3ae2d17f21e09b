import type { Actor, EventData } from "../../contract/log.ts";
import type { PersonRow } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import {
  hasOwner,
  membershipOf,
  memberWithId,
  setReadPosition,
  type MemberRow,
} from "../../db/members.ts";
import { newId } from "../ids.ts";
import { freeMemberName } from "../names.ts";
import { recordAs } from "../record.ts";
import { passOn } from "./pass-on-ownership.ts";

/**
 * Puts a person on a board as an ordinary member, with their read position at its head. A person who was there before gets
 * their old member id and name. Without an actor the person adds themselves. If the last owner was removed from the
 * server, the first person who comes and is no guest becomes the owner.
 */
export function addToBoard(
  tx: Tx,
  board: BoardRow,
  person: PersonRow,
  actor: Actor | null,
  besides: Pick<EventData<"person.added">, "by_owner" | "via" | "delegation_id"> = {},
): MemberRow {
  const former = membershipOf(tx, board.row, person.row);
  const memberId = former?.id ?? newId(tx, "mem");
  const name = former?.name ?? freeMemberName(tx, board.row, person.handle);
  const seq = recordAs(
    tx,
    board,
    actor ?? { kind: "human", member_id: memberId, name, owner: null },
    "person.added",
    {
      member_id: memberId,
      person_id: person.id,
      name,
      access: "member",
      rejoined: former !== null,
      ...besides,
    },
  );
  if (person.server_role !== "guest" && !hasOwner(tx, board.row))
    passOn(tx, board, { id: memberId, name }, person);
  const member = memberWithId(tx, memberId)!;
  setReadPosition(tx, member.row, seq);
  return member;
}
