import type { ReadTx } from "./engine/database.ts";
import type { BoardRow } from "./boards.ts";
import type { MemberRow } from "./members.ts";

/** The board after another one by row, null after the last. Deleted ones are left out. */
export const boardAfter = (tx: ReadTx, row: number) =>
  tx.get<BoardRow>(
    "SELECT * FROM board WHERE row > ? AND lifecycle <> 'deleted' ORDER BY row LIMIT 1",
    row,
  );

/** How many asks of a board are open. */
export const openAsksOn = (tx: ReadTx, boardRow: number): number =>
  tx.get<{ count: number }>(
    "SELECT (SELECT count(*) FROM ask WHERE board_row = ?1 AND answer IS NULL AND going_at IS NULL)" +
      " + (SELECT count(*) FROM ask WHERE board_row = ?1 AND answer IS NULL AND going_at > ?2) AS count",
    boardRow,
    tx.now,
  )!.count;

/** The active agents of a board. */
export const seatsOn = (tx: ReadTx, boardRow: number) =>
  tx.all<MemberRow>(
    "SELECT * FROM member WHERE board_row = ? AND kind = 'agent' AND status = 'active' AND person_row > 0",
    boardRow,
  );

/** How many messages wait in the queues of daemons, of those after a member by row, and the last member that was looked at. */
export const waitingInQueues = (tx: ReadTx, afterRow: number, limit: number) =>
  tx.get<{ waiting: number; last: number | null }>(
    "SELECT coalesce(sum(json_array_length(places)) FILTER (WHERE expires_at > ?3), 0) AS waiting, max(member_row) AS last" +
      " FROM (SELECT * FROM delivery_queue WHERE member_row > ?1 ORDER BY member_row LIMIT ?2)",
    afterRow,
    limit,
    tx.now,
  )!;

/** The size of each file's bytes once, of those after a digest, and the last digest that was looked at. */
export const bytesStored = (tx: ReadTx, afterDigest: string, limit: number) =>
  tx.get<{ bytes: number; last: string | null }>(
    "SELECT coalesce(sum(size), 0) AS bytes, max(sha256) AS last" +
      " FROM (SELECT sha256, max(size) AS size FROM file_version WHERE sha256 > ?1 GROUP BY sha256 ORDER BY sha256 LIMIT ?2)",
    afterDigest,
    limit,
  )!;
