import type { Actor, EventData } from "../../contract/log.ts";
import type { LogHead } from "../../db/log/chain.ts";
import type { Tx } from "../../db/engine/database.ts";
import { memberWithId, setReadPosition, type MemberRow } from "../../db/members.ts";
import { recordAs } from "../record.ts";

type Joined = EventData<"member.joined">;

/** Records that a member joined, and sets their read position to the board's head. Nothing else writes `member.joined`. */
export function beginStay(tx: Tx, board: LogHead, actor: Actor, joined: Joined): MemberRow {
  const head = recordAs(tx, board, actor, "member.joined", joined);
  const member = memberWithId(tx, joined.member_id)!;
  setReadPosition(tx, member.row, head);
  return member;
}

/** The data of `member.joined` for a person, who has no role, owner or harness. */
export const joinedPerson = (
  person: Pick<Joined, "member_id" | "person_id" | "name" | "access" | "join_code_id" | "guest">,
): Joined => ({ kind: "human", role: null, owner: null, harness: null, ...person });
