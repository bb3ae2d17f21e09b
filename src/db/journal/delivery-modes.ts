import type { DeliveryMode } from "../../contract/waking.ts";
import type { ReadTx, Tx } from "../engine/database.ts";
import type { SeatKey } from "./journal-sessions.ts";

/** A delivery mode with the number of the event that set it, which is 0 if nobody has. */
export interface KeptMode {
  readonly mode: DeliveryMode;
  readonly revision: number;
}

/** The mode of a seat that its server said last, or null. */
export const keptModeOf = (tx: ReadTx, { server, member_id }: SeatKey): KeptMode | null =>
  tx.get(
    "SELECT mode, revision FROM delivery_mode WHERE server = ? AND member_id = ?",
    ...[server, member_id],
  );

/** Keeps the mode of a seat as its server has said it. */
export function keepMode(tx: Tx, { server, member_id }: SeatKey, kept: KeptMode): void {
  tx.run(
    "INSERT OR REPLACE INTO delivery_mode (server, member_id, mode, revision) VALUES (?, ?, ?, ?)",
    ...[server, member_id, kept.mode, kept.revision],
  );
}
