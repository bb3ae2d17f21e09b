import { boardRowOf, seqOf } from "../../db/log/log-place.ts";
import { postedAt } from "../../db/messages.ts";
import { memberRef } from "../member-ref.ts";
import { afterSeconds } from "../time.ts";
import type { Found, Open } from "./item.ts";
import { namesOf, openReceipts, shownMessage, writeTo } from "./shown-message.ts";
import { memberOf, type View } from "./view.ts";

/** A kind of item about a message and the agents that it still waits for. */
interface Waiting {
  readonly kind: Open["kind"];
  /** How old the message has to be. */
  readonly seconds: number;
  /** What the agents have not done, after their names. */
  title(agents: string, several: boolean): string;
}

/** One item for each message that is old enough, with all agents that it waits for. */
export function messagesWaiting(
  { tx, board }: View,
  rows: readonly { readonly place: number; readonly member_row: number }[],
  { kind, seconds, title }: Waiting,
): Found {
  const open: Open[] = [];
  const changesAt: string[] = [];
  for (const [place, waiting] of Map.groupBy(rows, (row) => row.place)) {
    const { at, data } = postedAt(tx, place);
    const due = afterSeconds(at, seconds);
    if (due > tx.now) {
      changesAt.push(due);
      continue;
    }
    const { name } = board(boardRowOf(place))!;
    const members = waiting.map(({ member_row }) => memberOf(tx, member_row));
    open.push({
      kind,
      cause: data.message_id,
      urgency: "later",
      at,
      board: board(boardRowOf(place)),
      mark: members.map(({ row }) => row).join(),
      show() {
        const { text, ref } = shownMessage(tx, place);
        return {
          from: members.length === 1 ? memberRef(members[0]!) : null,
          title: title(namesOf(members), members.length > 1),
          text,
          ref: { ...ref, agents: members.map((each) => ({ member_id: each.id, name: each.name })) },
          actions: [openReceipts(name, seqOf(place)), writeTo(name, members)],
        };
      },
    });
  }
  return { open, changesAt };
}
