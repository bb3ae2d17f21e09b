import type { ReadTx, Tx } from "./engine/database.ts";
import { putRow } from "./insert-row.ts";

/** What an agent reported last of its presence. */
export interface PresenceRow {
  member_row: number;
  presence: "working" | "idle" | "waiting" | "no_session";
  since: string;
  reported_at: string;
  delivery: "focused" | "all" | "humans" | "off" | "auto" | null;
  /** The agent's person. */
  person_row: number;
}
/** What is kept of an agent that has reported nothing. */
const noReport = { row: null };

export const presenceOf = (tx: ReadTx, memberRow: number): PresenceRow | null =>
  tx.caches.presence.get("presence", memberRow, () => {
    const row = tx.get<PresenceRow>("SELECT * FROM presence WHERE member_row = ?", memberRow);
    return row ? { row } : noReport;
  }).row;
export const reportPresence = (tx: Tx, presence: PresenceRow) => putRow(tx, "presence", presence);
/** Active seats whose last presence report is older than `reportedBefore` and whose lapse was not announced yet. */
export const lapsedPresences = (tx: ReadTx, reportedBefore: string) =>
  tx.all<{ member_row: number; board_row: number }>(
    "SELECT member_row, board_row FROM presence JOIN member ON member.row = member_row WHERE status = 'active' AND lapse_told = 0 AND presence <> 'no_session' AND reported_at <= ?",
    reportedBefore,
  );
export const tellLapse = (tx: Tx, memberRow: number) =>
  tx.run("UPDATE presence SET lapse_told = 1 WHERE member_row = ?", memberRow);
