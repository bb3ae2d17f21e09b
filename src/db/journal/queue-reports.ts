import type { ReadTx, Tx } from "../engine/database.ts";
import type { SeatKey } from "./journal-sessions.ts";

/** A claim on a seat's delivery queue at its server, with the last revision that was sent under it. */
export interface QueueClaim {
  /** `<harness>:<id>` */
  readonly session: string;
  readonly boot: string;
  /** The generation of the seat's binding. */
  readonly generation: number;
  readonly epoch: number;
  readonly revision: number;
}

/** The last claim on a seat's queue, or null. */
export const queueClaimOf = (tx: ReadTx, { server, member_id }: SeatKey): QueueClaim | null =>
  tx.get(
    "SELECT session, boot, generation, epoch, revision FROM queue_report WHERE server = ? AND member_id = ?",
    ...[server, member_id],
  );

/** Writes a claim before what it counts is sent. */
export function saveQueueClaim(tx: Tx, { server, member_id }: SeatKey, claim: QueueClaim): void {
  const { session, boot, generation, epoch, revision } = claim;
  tx.run(
    "INSERT OR REPLACE INTO queue_report (server, member_id, session, boot, generation, epoch, revision) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ...[server, member_id, session, boot, generation, epoch, revision],
  );
}
