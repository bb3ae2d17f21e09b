import { Refusal, refuse } from "../../contract/refusal.ts";
import type { Operation } from "../../contract/operation.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { keepAnswer, keptAnswer } from "../../db/kept-answers.ts";
import type { Presented } from "../access/identify.ts";
import type { RuleAnswer } from "../rule-answer.ts";
import type { Secrets } from "../secrets.ts";
import { afterSeconds, keptAnswerSeconds } from "../time.ts";

/** Identifies a request whose answer is kept for repeats: its credential, its key and its content. */
export interface Keeping {
  /** Digest of the credential. */
  readonly credential: string;
  readonly key: string;
  /** Keyed digest of the SHA-256 over method, path, query and the body's bytes. */
  readonly requestHash: string;
}

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  readonly replayed?: true;
  /** The new content of the browser's cookie; null removes the cookie. */
  readonly session?: RuleAnswer<unknown>["session"];
}

/** Statuses of refusals that are kept too, if they came after the caller was admitted. */
const keptStatuses = [403, 404, 409, 422];

/** The key under which an answer is kept; null if it is not kept. Refuses a key that is empty or longer than 128 characters. */
export function idempotencyKeyOf(
  op: Operation,
  request: Request,
  presented: Presented | null,
): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || op.method === "GET") return null;
  if (key.length < 1 || key.length > 128)
    throw refuse("invalid_request", { problem: "Idempotency-Key must have 1 to 128 characters" });
  if (!presented || op.replay === "secret" || op.anewFor?.includes(presented.kind)) return null;
  return key;
}

/** Identifies a request whose answer is kept; null if it is not kept. For an upload `body` is the digest of its bytes. */
export function keepingOf(
  op: Operation,
  request: Request,
  body: Uint8Array,
  presented: Presented | null,
  secrets: Secrets,
): Keeping | null {
  const key = idempotencyKeyOf(op, request, presented);
  if (key === null || presented === null) return null;
  const { pathname, search } = new URL(request.url);
  const hasher = new Bun.CryptoHasher("sha256");
  hasher.update(`${op.method} ${pathname}${search}\n`).update(body);
  // Keyed, because a body may hold a code of 30 bits, and a reader of the database file could guess it from a plain hash.
  const requestHash = secrets.digest(hasher.digest("hex"));
  return { credential: presented.digest, key, requestHash };
}

const rowOf = (tx: ReadTx, credential: string, key: string) =>
  keptAnswer(tx, credential, key, afterSeconds(tx.now, -keptAnswerSeconds));

/** Whether any answer is kept under a key of this credential. */
export const hasKept = (tx: ReadTx, { digest }: Presented, key: string): boolean =>
  rowOf(tx, digest, key) !== null;

/** The answer kept for this request. Another request under the same key is refused. */
export function keptFor(tx: ReadTx, keeping: Keeping): Answer | null {
  const row = rowOf(tx, keeping.credential, keeping.key);
  if (!row) return null;
  if (row.request_hash !== keeping.requestHash) throw refuse("idempotency_conflict");
  return { status: row.status, body: row.body, replayed: true };
}

/** Runs a rule and keeps its answer or refusal, in one transaction. */
export function runAndKeep(tx: Tx, keeping: Keeping | null, run: () => Answer): Answer {
  let answer: Answer;
  try {
    answer = tx.attempt(run);
  } catch (error) {
    if (!keeping || !(error instanceof Refusal) || !keptStatuses.includes(error.status))
      throw error;
    answer = { status: error.status, body: JSON.stringify(error.toBody()) };
  }
  if (keeping)
    keepAnswer(tx, keeping.credential, keeping.key, {
      request_hash: keeping.requestHash,
      status: answer.status,
      body: answer.body,
    });
  return answer;
}
