import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt, memberKeyOf, type MemberRow } from "../../db/members.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import { postedAt, threadMessages, type MessageRow } from "../../db/messages.ts";
import { readerOn } from "../access/readable-messages.ts";

/**
 * The members that a message addressed by name. Every person among its recipients counts: only a name addresses a person,
 * and they may have another name since.
 */
function addressedByName(tx: ReadTx, { data: { to, recipients = [] } }: Posted): MemberRow[] {
  return recipients
    .map((id) => memberAt(tx, memberKeyOf(tx, id)!.row)!)
    .filter(({ kind, name }) => kind === "human" || to.includes(`@${name}`));
}

/**
 * The names that a reply without targets goes to: first the author of the answered message, then everyone who wrote in
 * the thread or was addressed by name there, as far as the sender may read it. The sender and members who have left are
 * left out. If nobody remains, the reply goes to `otherwise`, and is refused if that is null.
 */
export function replyTargets(
  tx: ReadTx,
  board: BoardRow,
  sender: MemberRow,
  answered: MessageRow,
  otherwise: () => MemberRow | null,
): string[] {
  const names = new Set<string>();
  const take = (member: MemberRow | null) => {
    if (member && member.status === "active" && member.row !== sender.row) names.add(member.name);
  };
  take(memberAt(tx, answered.sender_row));
  const root = answered.root ?? answered.place;
  for (const message of threadMessages(tx, root, readerOn(board, sender))) {
    take(memberAt(tx, message.sender_row));
    for (const member of addressedByName(tx, postedAt(tx, message.place))) take(member);
  }
  const others = names.size ? [...names] : [otherwise()?.name].filter((name) => name !== undefined);
  if (others.length === 0) throw refuse("reply_has_no_recipients");
  return others.map((name) => `@${name}`);
}
