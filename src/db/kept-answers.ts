import type { ReadTx, Tx } from "./engine/database.ts";
import { putRow } from "./insert-row.ts";

interface KeptAnswerRow {
  request_hash: string;
  status: number;
  body: string;
}

/** The answer stored for a credential's Idempotency-Key, if it was stored after `keptAfter`. */
export const keptAnswer = (tx: ReadTx, credential: string, key: string, keptAfter: string) =>
  tx.get<KeptAnswerRow>(
    "SELECT request_hash, status, body FROM kept_answer WHERE credential = ? AND idempotency_key = ? AND kept_at > ?",
    credential,
    key,
    keptAfter,
  );
/** Stores an answer. It replaces one that has expired. */
export const keepAnswer = (tx: Tx, credential: string, key: string, answer: KeptAnswerRow) =>
  putRow(tx, "kept_answer", { credential, idempotency_key: key, ...answer, kept_at: tx.now });
/** Deletes up to 1,000 answers that were stored up to `keptUntil`, and returns how many. Rows are in the order of storing. */
export const dropKeptAnswers = (tx: Tx, keptUntil: string) =>
  tx.run(
    "DELETE FROM kept_answer WHERE row IN (SELECT row FROM kept_answer ORDER BY row LIMIT 1000) AND kept_at <= ?",
    keptUntil,
  );
