import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { MemberRow } from "../../db/members.ts";
import { messagesAfter, postedAt, type MessageRow } from "../../db/messages.ts";
import type { ReactionRow } from "../../db/reactions.ts";
import { readerOn } from "../access/readable-messages.ts";
import { inboxAfter } from "../inbox/get-inbox.ts";
import { reactionsOf } from "../messages/views.ts";

/** The next messages of an inbox. */
export interface Page {
  readonly rows: readonly MessageRow[];
  readonly more: boolean;
  /** The reactions to them, and maybe to others; undefined if they are not read yet. */
  readonly reactions?: readonly ReactionRow[];
}

/** Reads the next messages of inboxes in one transaction. What is the same for several agents is read once. */
export type Pages = (board: BoardRow, me: MemberRow, after: number) => Page;

/** Most messages of a page. */
export const mostMessages = 50;

/** The first messages of a board after a place, and whom each reaches by name; null if it is to all. */
interface Next {
  readonly rows: readonly MessageRow[];
  readonly reached: readonly (ReadonlySet<string> | null)[];
  readonly reactions: readonly ReactionRow[];
}

/** Makes the reader of pages for one transaction. */
export function pagesIn(tx: ReadTx): Pages {
  const known = new Map<number, Next>();

  function nextOn(board: BoardRow, place: number): Next {
    let next = known.get(place);
    if (!next) {
      const rows = messagesAfter(tx, board.row, place, mostMessages + 1);
      const reached = rows.map((row) => reachedByName(postedAt(tx, row.place)));
      known.set(place, (next = { rows, reached, reactions: reactionsOf(tx, rows) }));
    }
    return next;
  }

  return (board, me, after) => {
    if (!readerOn(board, me).readsAll) return inboxAfter(tx, board, me, after, mostMessages);
    const { rows, reached, reactions } = nextOn(board, placeOf(board.row, after));
    const own = rows.filter(({ sender_row }, i) =>
      reached[i] ? reached[i].has(me.id) : sender_row !== me.row,
    );
    if (rows.length <= mostMessages) return { rows: own, more: false, reactions };
    // Of so many, those that reach others alone may stand before the agent's own.
    return own.length > mostMessages
      ? { rows: own.slice(0, mostMessages), more: true, reactions }
      : inboxAfter(tx, board, me, after, mostMessages);
  };
}

/** Ids of the members that a message reaches by name: its recipients, and agents that a mention wakes. Null if it is to all. */
function reachedByName({ data }: Posted): ReadonlySet<string> | null {
  if (!data.recipients) return null;
  const woken = data.mentions.filter(({ wakes }) => wakes).map(({ id }) => id);
  return new Set([...data.recipients, ...woken]);
}
