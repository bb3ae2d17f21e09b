import type { ReadTx } from "./engine/database.ts";
import { lastPlaceOf, placeOf } from "./log/log-place.ts";
import { andAddressed, forReaders, type Reader } from "./readers.ts";

const inboxCountText = forReaders(
  (parts) =>
    "SELECT (SELECT count(*) FROM message INDEXED BY message_to_all WHERE to_all = 1 AND place > ?2 AND place <= ?3 AND sender_row <> ?1)" +
    ` + (SELECT count(*) FROM recipient WHERE member_row = ?1${andAddressed(parts)} AND place > ?2 AND place <= ?3) AS count`,
);

/** How many messages reach an agent after a place. */
export const inboxCount = (tx: ReadTx, boardRow: number, reader: Reader, afterPlace: number) =>
  tx.get<{ count: number }>(
    inboxCountText(reader),
    reader.memberRow,
    afterPlace,
    lastPlaceOf(boardRow),
  )?.count ?? 0;

/** The board's last message up to a seq: when it was posted, and how many messages there are up to it. */
export const lastMessage = (tx: ReadTx, boardRow: number, upToSeq: number) =>
  tx.get<{ number: number; at: string }>(
    "SELECT m.number, e.at FROM message m JOIN event e ON e.place = m.place WHERE m.place > ? AND m.place <= ? ORDER BY m.place DESC LIMIT 1",
    placeOf(boardRow, 0),
    placeOf(boardRow, upToSeq),
  );

/** How many messages of other members a board has after a seq. */
export function unreadAfter(tx: ReadTx, boardRow: number, memberRow: number, seq: number): number {
  const place = placeOf(boardRow, seq);
  return (
    tx.get<{ unread: number }>(
      "SELECT coalesce((SELECT number FROM message WHERE place > ?3 AND place <= ?4 ORDER BY place DESC LIMIT 1), 0)" +
        " - coalesce((SELECT number FROM message WHERE place > ?3 AND place <= ?2 ORDER BY place DESC LIMIT 1), 0)" +
        " - coalesce((SELECT sender_number FROM message WHERE sender_row = ?1 AND place <= ?4 ORDER BY place DESC LIMIT 1), 0)" +
        " + coalesce((SELECT sender_number FROM message WHERE sender_row = ?1 AND place <= ?2 ORDER BY place DESC LIMIT 1), 0) AS unread",
      memberRow,
      place,
      placeOf(boardRow, 0),
      lastPlaceOf(boardRow),
    )?.unread ?? 0
  );
}

/** How many messages to a member wait for their reply. */
export const awaitedReplies = (tx: ReadTx, memberRow: number) =>
  tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM awaited_reply WHERE member_row = ?",
    memberRow,
  )?.count ?? 0;
