import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/database.ts";
import { memberAt, memberNamed, type MemberRow } from "../../db/members.ts";
import { postedAt, threadMessages, type MessageRow } from "../../db/messages.ts";
import { readerOn } from "./reader.ts";

/**
 * Whom a reply without targets goes to, by name: the author of the message answered first, then everyone who wrote in
 * the thread or was addressed by name there, as far as the sender may read it. Never the sender, never who has gone.
 */
export function replyTargets(
  tx: ReadTx,
  board: BoardRow,
  sender: MemberRow,
  answered: MessageRow,
): string[] {
  const names = new Set<string>();
  const take = (member: MemberRow | null) => {
    if (member && member.status === "active" && member.row !== sender.row) names.add(member.name);
  };
  take(memberAt(tx, answered.sender_row));
  const root = answered.root ?? answered.place;
  for (const message of threadMessages(tx, root, readerOn(board, sender))) {
    take(memberAt(tx, message.sender_row));
    for (const target of postedAt(tx, message.place).data.to)
      if (target.startsWith("@")) take(memberNamed(tx, board.row, target.slice(1)));
  }
  if (names.size === 0) throw refuse("reply_has_no_recipients");
  return [...names].map((name) => `@${name}`);
}
