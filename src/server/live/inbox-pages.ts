import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { MemberRow } from "../../db/members.ts";
import { isReachedByName, messagesToAll, type MessageRow } from "../../db/messages.ts";
import type { ReactionRow } from "../../db/reactions.ts";
import { readerOn } from "../access/readable-messages.ts";
import { inboxAfter } from "../inbox/get-inbox.ts";
import { reactionsOf } from "../messages/views.ts";

/** The next messages of an inbox. */
export interface Page {
  readonly rows: readonly MessageRow[];
  readonly more: boolean;
  /** The reactions to them; undefined if they are not read yet. */
  readonly reactions?: readonly ReactionRow[];
}

/** Reads the next messages of inboxes in one transaction. What is the same for several agents is read once. */
export type Pages = (board: BoardRow, me: MemberRow, after: number) => Page;

/** Most messages of a page. */
export const mostMessages = 50;

/** Makes the reader of pages for one transaction. */
export function pagesIn(tx: ReadTx): Pages {
  const toAll = new Map<number, Page & { readonly senders: ReadonlySet<number> }>();

  function pageToAll(board: BoardRow, place: number) {
    const known = toAll.get(place);
    if (known) return known;
    const found = messagesToAll(tx, board.row, place, mostMessages + 1);
    const rows = found.slice(0, mostMessages);
    const page = {
      rows,
      more: found.length > mostMessages,
      reactions: reactionsOf(tx, rows),
      senders: new Set(rows.map(({ sender_row }) => sender_row)),
    };
    toAll.set(place, page);
    return page;
  }

  return (board, me, after) => {
    const place = placeOf(board.row, after);
    const reader = readerOn(board, me);
    // Most agents of a board get what is to all and nothing else, and they get the same.
    if (reader.readsAll && !isReachedByName(tx, board.row, me.row, place)) {
      const page = pageToAll(board, place);
      if (!page.senders.has(me.row)) return page;
    }
    return inboxAfter(tx, board, me, after, mostMessages);
  };
}
