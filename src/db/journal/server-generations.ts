import type { Tx } from "../engine/database.ts";
import type { SeatKey } from "./journal-sessions.ts";

/**
 * Notes by which generation of its server a seat's messages are numbered. After a restore the numbers after the position
 * name other messages: what is known of them is forgotten.
 */
export function noteServer(
  tx: Tx,
  { server, member_id }: SeatKey,
  generation: string,
  position: number,
): void {
  const known = tx.get<{ generation: string }>(
    "SELECT generation FROM server_generation WHERE server = ? AND member_id = ?",
    ...[server, member_id],
  );
  if (known?.generation === generation) return;
  tx.run(
    "INSERT OR REPLACE INTO server_generation (server, member_id, generation) VALUES (?, ?, ?)",
    ...[server, member_id, generation],
  );
  if (known === null) return;
  tx.run(
    "DELETE FROM delivery WHERE server = ? AND member_id = ? AND seq > ?",
    ...[server, member_id, position],
  );
}
