import { refuse, type NextStep } from "../../contract/refusal.ts";
import type { CredentialKind, Operation } from "../../contract/operation.ts";
import type { KeyRow } from "../../db/accounts.ts";
import { boardAt, nameOfBoard } from "../../db/boards.ts";
import {
  delegationWithDigest,
  keyWithDigest,
  pairingWithDigest,
  seatWithDigest,
  sessionWithDigest,
  type BrowserSessionRow,
  type CredentialRow,
} from "../../db/credentials.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { isCurrent } from "./pairing-outcome.ts";

/** What a request presented, before anything was looked up. */
export interface Presented {
  readonly kind: CredentialKind;
  /** The keyed digest of the secret. */
  readonly digest: string;
  /** True if the credential came in a cookie, which a browser sends by itself. */
  readonly cookie?: true;
}

/** Who is calling, read in the transaction that serves them. The digest is the scope of kept answers. */
export type Caller = CredentialRow;

/** Refuses a kind of credential that the operation does not accept. If the refusal asks for a person, it carries `next`. */
export function admitKind(op: Operation, kind: CredentialKind, next?: NextStep): void {
  if (op.callers.accepts.includes(kind)) return;
  const entry = op.callers.refuses[kind] ?? "human_token_required";
  const refusal = refuse(entry as "human_token_required");
  throw next && entry === "human_token_required" ? refusal.withNext(next) : refusal;
}

/** Finds the owner of a credential that works now. An ended seat is refused as such even if its key has ended too. */
export function identify(tx: ReadTx, presented: Presented | null): Caller {
  if (!presented) throw refuse("unauthorized");
  const { kind, digest } = presented;
  const found = withDigest[kind](tx, digest);
  if (!found) throw refuse("unauthorized");
  const { seat, session, delegation, pairing, key } = found;
  if (seat && seat.status !== "active") throw seatEnded(tx, seat);
  if (delegation && (delegation.ended_at !== null || !keyWorks(tx, key)))
    throw refuse("delegation_revoked");
  const over = (session && !sessionLasts(tx, session)) || (pairing && !isCurrent(tx, pairing));
  if (!keyWorks(tx, key) || over) throw refuse("unauthorized");
  return found;
}

const withDigest: Record<CredentialKind, (tx: ReadTx, digest: string) => CredentialRow | null> = {
  key: keyWithDigest,
  browser: sessionWithDigest,
  agent: seatWithDigest,
  delegation: delegationWithDigest,
  pairing: pairingWithDigest,
};

/** Whether a browser session has neither been ended nor expired at the transaction's clock. */
export const sessionLasts = (
  tx: ReadTx,
  session: Pick<BrowserSessionRow, "ended_at" | "expires_at">,
) => session.ended_at === null && session.expires_at > tx.now;

/** When a credential expires; null if it does not expire. */
export function endOf({ key, session }: Caller): string | null {
  if (!session) return key.expires_at;
  return key.expires_at !== null && key.expires_at < session.expires_at
    ? key.expires_at
    : session.expires_at;
}

/** Whether a key is neither revoked nor expired at the transaction's clock. */
export const keyWorks = (tx: ReadTx, key: Pick<KeyRow, "revoked_at" | "expires_at">): boolean =>
  key.revoked_at === null && (key.expires_at === null || key.expires_at > tx.now);

/** The refusal that every request of an ended seat gets. */
export function seatEnded(tx: ReadTx, seat: MemberRow) {
  const row = boardAt(tx, seat.board_row);
  if (!row) return refuse("board_not_found", { board: nameOfBoard(tx, seat.board_row) });
  const board = row.name;
  return refuse(
    "agent_removed",
    { agent: seat.name, board },
    { agent: seat.name, board, removed_at: seat.ended_at, removed_by: seat.ended_by },
  );
}
