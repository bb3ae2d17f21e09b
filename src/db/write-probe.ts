import type { Tx } from "./engine/database.ts";

const nobodys = "probe";

/** Writes a row and deletes it again. It fails where nothing can be written, as on a full disk. */
export function writeProbe(tx: Tx): void {
  tx.run(
    "INSERT INTO kept_answer (credential, idempotency_key, request_hash, status, body, kept_at) VALUES (?, ?, '', 200, '', ?)",
    ...[nobodys, nobodys, tx.now],
  );
  tx.run("DELETE FROM kept_answer WHERE credential = ?", nobodys);
}
