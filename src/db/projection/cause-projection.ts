import type { EventData, EventType } from "../../contract/log.ts";
import { endLoopsWith } from "../agent-loops.ts";
import {
  endAllButReplies,
  endAllOf,
  endAwaiting,
  insertCause,
  noteAct,
  type CauseKind,
} from "../attention-causes.ts";
import type { Tx } from "../engine/database.ts";
import { placeOf } from "../log/log-place.ts";
import type { MemberRow } from "../members.ts";
import type { Projected } from "./event-projection.ts";
import { memberKey } from "./rows-by-id.ts";

type Key = Pick<MemberRow, "row" | "kind" | "person_row">;
interface NewMessage {
  readonly place: number;
  readonly sender: Key;
  readonly replyTo: number | null;
}

/** Stores whom a message concerns until they reply or read, and ends what waited for this reply. */
export function projectCauses(
  tx: Tx,
  { place, sender, replyTo }: NewMessage,
  data: EventData<"message.posted">,
): void {
  if (replyTo !== null) endAwaiting(tx, sender.row, replyTo);
  const insert = (personRow: number, member: Key, kind: CauseKind) =>
    insertCause(tx, { person_row: personRow, place, member_row: member.row, kind });
  const expected = data.expects_reply && !data.ask;
  const followed = sender.kind === "human" && (data.urgent || data.expects_reply);
  for (const id of expected || followed ? (data.recipients ?? []) : []) {
    const member = memberKey(tx, id);
    const isAgent = member.kind === "agent";
    if (expected) insert(member.person_row, member, isAgent ? "late" : "reply");
    if (followed && isAgent) insert(sender.person_row, member, "undelivered");
  }
  if (sender.kind !== "human") return;
  for (const { id, kind } of data.mentions) {
    if (kind !== "human") continue;
    const member = memberKey(tx, id);
    insert(member.person_row, member, "mention");
  }
}

/** Stores that somebody put a person on a board. */
export function projectAddition(tx: Tx, place: number, memberId: string): void {
  const member = memberKey(tx, memberId);
  insertCause(tx, { person_row: member.person_row, place, member_row: member.row, kind: "added" });
}

/** Ends what waited for a member who has left, and signals the member's person. */
export function endAttention(tx: Tx, memberId: string): void {
  const { row, kind, person_row: personRow } = memberKey(tx, memberId);
  (kind === "agent" ? endAllOf : endAllButReplies)(tx, row);
  if (kind === "agent") endLoopsWith(tx, row);
  tx.signal({ about: "attention", personRow });
}

/** Notes that an agent did something. Its messages are found without it. */
export function projectAct(tx: Tx, { boardRow, seq, type, actor }: Projected<EventType>): void {
  if (actor.kind !== "agent" || type === "message.posted") return;
  noteAct(tx, memberKey(tx, actor.member_id).row, placeOf(boardRow, seq));
}
