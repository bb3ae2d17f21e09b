import type { Actor, EventData } from "../../contract/log.ts";
import type { PersonRow } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/database.ts";
import { append } from "../../db/log.ts";
import {
  hasOwner,
  membershipOf,
  memberWithId,
  setReadPosition,
  type MemberRow,
} from "../../db/members.ts";
import { system } from "../actor.ts";
import { newId } from "../ids.ts";
import { freeMemberName } from "../names.ts";

/**
 * Puts a person on a board as an ordinary member, reading from its head. Whoever was there before returns under the
 * old member id and name. Without an actor the person adds themselves. A board that lost its last owner with their
 * removal from the server gets one in the first who comes and is no guest.
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
  if (person.server_role !== "guest" && !hasOwner(tx, board.row))
    append(tx, board, {
      id: newId(tx, "evt"),
      type: "person.made_owner",
      actor: system,
      data: {
        member_id: memberId,
        person_id: person.id,
        name,
        reason: "owner_removed_from_server",
      },
    });
  const member = memberWithId(tx, memberId)!;
  setReadPosition(tx, member.row, seq);
  return member;
}
