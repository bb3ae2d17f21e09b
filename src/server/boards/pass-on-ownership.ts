import type { PersonRow } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { system } from "../actor.ts";
import { recordAs } from "../record.ts";

/** Makes a member the owner of a board whose last owner was removed from the server. */
export function passOn(
  tx: Tx,
  board: BoardRow,
  heir: Pick<MemberRow, "id" | "name">,
  person: PersonRow,
): void {
  recordAs(tx, board, system, "person.made_owner", {
    member_id: heir.id,
    person_id: person.id,
    name: heir.name,
    reason: "owner_removed_from_server",
  });
}
