import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { MemberRow } from "../../db/members.ts";
import { inboxOf, messagesAfter, postedAt, type MessageRow } from "../../db/messages.ts";
import type { ReactionRow } from "../../db/reactions.ts";
import { unreadAfter } from "../../db/unread-counts.ts";
import { readerOn } from "../access/readable-messages.ts";
import { reactionsOf } from "../messages/views.ts";

/** The next messages of an inbox. */
export interface Page {
  readonly rows: readonly MessageRow[];
  readonly more: boolean;
  /** The reactions to them, and maybe to others; undefined if they are not read yet. */
  readonly reactions?: readonly ReactionRow[];
}

/** So many messages after a place are read once for all who wait there, until anything changes. */
const mostShared = 50;

/** The first messages of a board after a place, and whom each reaches by name; null if it is to all. */
interface Next {
  readonly rows: readonly MessageRow[];
  readonly reached: readonly (ReadonlySet<string> | null)[];
  readonly reactions: readonly ReactionRow[];
}

/** The next `limit` messages of an agent's inbox after a seq, oldest first, and whether there are more. */
export function nextMessages(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  after: number,
  limit: number,
): Page {
  if (after >= board.head_seq) return { rows: [], more: false };
  if (!readerOn(board, me).readsAll) return inboxAfter(tx, board, me, after, limit);
  const { rows, reached, reactions } = nextOn(tx, board, placeOf(board.row, after));
  const own = rows.filter(({ sender_row }, i) =>
    reached[i] ? reached[i].has(me.id) : sender_row !== me.row,
  );
  const isAll = rows.length <= mostShared;
  // Of many, those that reach others alone may stand before the agent's own.
  if (!isAll && own.length <= limit) return inboxAfter(tx, board, me, after, limit);
  return { rows: own.slice(0, limit), more: own.length > limit, reactions };
}

const nextOn = (tx: ReadTx, board: BoardRow, place: number): Next =>
  tx.caches.sinceChange.get("next messages", place, () => {
    const rows = messagesAfter(tx, board.row, place, mostShared + 1);
    const reached = rows.map((row) => reachedByName(postedAt(tx, row.place)));
    return { rows, reached, reactions: reactionsOf(tx, rows) };
  });

/** Ids of the members that a message reaches by name: its recipients, and agents that a mention wakes. Null if it is to all. */
function reachedByName({ data }: Posted): ReadonlySet<string> | null {
  if (!data.recipients) return null;
  const woken = data.mentions.filter(({ wakes }) => wakes).map(({ id }) => id);
  return new Set([...data.recipients, ...woken]);
}

function inboxAfter(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  after: number,
  limit: number,
): Page {
  // If others wrote nothing, the search is skipped: it could pass over many messages of the agent's own.
  if (!unreadAfter(tx, board.row, me.row, after)) return { rows: [], more: false };
  const found = inboxOf(tx, board.row, readerOn(board, me), placeOf(board.row, after), limit + 1);
  return { rows: found.slice(0, limit), more: found.length > limit };
}
