import type { ReadTx } from "./engine/database.ts";
import type { MemberAndHandle } from "./members.ts";

export type DisconnectedRow = MemberAndHandle & {
  /** Permanent id of the agent's person. */
  person_id: string;
  disconnected_since: string;
};

/**
 * Active seats of one person, or of all, that have had no session since `since` or earlier, the longest first. A seat counts
 * from its report that the session ended, or from its last report if that one is older than `lapsed`.
 */
export const disconnectedAgents = (
  tx: ReadTx,
  { personRow, since, lapsed }: { personRow: number | null; since: string; lapsed: string },
) =>
  tx.all<DisconnectedRow>(
    "SELECT * FROM (SELECT m.*, p.handle, p.id AS person_id, CASE r.presence WHEN 'no_session' THEN r.since ELSE r.reported_at END AS disconnected_since " +
      "FROM presence r JOIN member m ON m.row = r.member_row JOIN person p ON p.row = m.person_row " +
      "WHERE m.status = 'active' AND (r.presence = 'no_session' OR r.reported_at <= ?1) AND (?2 IS NULL OR m.person_row = ?2)) " +
      "WHERE disconnected_since <= ?3 ORDER BY disconnected_since, row",
    lapsed,
    personRow,
    since,
  );
