import type { Actor, EventData } from "../../contract/log.ts";
import type { PersonRow } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/database.ts";
import { append } from "../../db/log.ts";
import { membershipOf, memberWithId, setReadPosition, type MemberRow } from "../../db/members.ts";
import { newId } from "../ids.ts";
import { freeMemberName } from "../names.ts";

/**
 * Puts a person on a board as an ordinary member, reading from its head. Whoever was there before returns under the
 * old member id and name. Without an actor the person adds themselves.
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
  const seq = append(tx, board, {
    id: newId(tx, "evt"),
    type: "person.added",
    actor: actor ?? { kind: "human", member_id: memberId, name, owner: null },
    data: {
      member_id: memberId,
      person_id: person.id,
      name,
      access: "member",
      rejoined: former !== null,
      ...besides,
    },
  });
  const member = memberWithId(tx, memberId)!;
  setReadPosition(tx, member.row, seq);
  return member;
}
