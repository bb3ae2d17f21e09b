import type { CredentialKind } from "../contract/operation.ts";
import type { KeyRow, PersonRow } from "./accounts.ts";
import type { ReadTx } from "./engine/database.ts";
import { memberAt, type MemberRow } from "./members.ts";

/** What a request needs to know about the key behind its credential. */
export type KeyOfCaller = Pick<
  KeyRow,
  "row" | "id" | "expires_at" | "idle_expiry_seconds" | "revoked_at" | "last_used_at"
>;

/** A working or ended credential with its key, person and seat. One lookup by its digest finds it. */
export interface CredentialRow {
  readonly kind: CredentialKind;
  /** The keyed digest of its secret. */
  readonly digest: string;
  readonly person: PersonRow;
  readonly key: KeyOfCaller;
  readonly seat: MemberRow | null;
  /** The browser's session, for its cookie or its token. */
  readonly session: BrowserSessionRow | null;
  readonly delegation: DelegationRow | null;
  readonly pairing: PairingCredentialRow | null;
}

/** A browser's session, started with a key. */
export interface BrowserSessionRow {
  row: number;
  id: string;
  key_row: number;
  started_with: "login_code" | "access_key";
  created_at: string;
  expires_at: string;
  ended_at: string | null;
}
/** What a machine may do for the person whose key made it. */
interface DelegationRow {
  row: number;
  id: string;
  key_row: number;
  name: string;
  created_at: string;
  ended_at: string | null;
}

/** The credential of a session that is being paired: for one side of one request, in one generation. */
export interface PairingCredentialRow {
  row: number;
  id: string;
  key_row: number;
  request_row: number;
  side: "initiator" | "recipient";
  member_row: number;
  session_binding: string;
  generation: number;
  created_at: string;
  expires_at: string;
  ended_at: string | null;
}

/** Whose a credential is, and which key started it. */
interface HolderRows {
  person_row: number;
  key_row: number;
}

/** The key and the person of a credential: the same objects for all that a key started. */
const holderOf = (tx: ReadTx, { person_row, key_row }: HolderRows) =>
  tx.rowCache.get("holder", `${key_row} ${person_row}`, () => ({
    person: tx.get<PersonRow>(
      "SELECT row, id, handle, display_name, server_role, created_at, removed_at FROM person WHERE row = ?",
      person_row,
    )!,
    key: tx.get<KeyOfCaller>(
      "SELECT row, id, expires_at, idle_expiry_seconds, revoked_at, last_used_at FROM access_key WHERE row = ?",
      key_row,
    )!,
  }));

/** What a credential has beside its key and person, of its own kind alone. */
const nothingElse = { seat: null, session: null, delegation: null, pairing: null };

/** A look-up of a credential by its digest. `partOf` gives what it has beside its person and key. */
const lookUp =
  <Row>(
    kind: CredentialKind,
    sql: string,
    partOf: (row: Row, tx: ReadTx) => Partial<CredentialRow>,
  ) =>
  (tx: ReadTx, digest: string): CredentialRow | null =>
    tx.rowCache.get(kind, digest, () => {
      const row = tx.get<Row & HolderRows>(sql, digest);
      return row && { kind, digest, ...holderOf(tx, row), ...nothingElse, ...partOf(row, tx) };
    });
const startedBy = (table: string, own: string) =>
  `SELECT k.person_row, t.key_row, t.row, t.id, t.created_at, t.ended_at, ${own} FROM ${table} t JOIN access_key k ON k.row = t.key_row WHERE t.digest = ?`;

/** The access key with a digest, and its person. */
export const keyWithDigest = lookUp(
  "key",
  "SELECT person_row, row AS key_row FROM access_key WHERE digest = ?",
  () => ({}),
);

/** The seat whose token has a digest, the key that started it, and its person. */
export const seatWithDigest = lookUp<{ member_row: number }>(
  "agent",
  "SELECT t.member_row, m.person_row, t.key_row FROM seat_token t JOIN member m ON m.row = t.member_row WHERE t.digest = ?",
  ({ member_row }, tx) => ({ seat: memberAt(tx, member_row) }),
);

/** The browser session whose secret has a digest, the key that started it, and its person. */
export const sessionWithDigest = lookUp<BrowserSessionRow>(
  "browser",
  startedBy("browser_session", "t.started_with, t.expires_at"),
  (session) => ({ session }),
);

/** The delegation with a digest, the key that made it, and its person. */
export const delegationWithDigest = lookUp<DelegationRow>(
  "delegation",
  startedBy("delegation", "t.name"),
  (delegation) => ({ delegation }),
);

/** The credential of a session that is being paired, the key that selected it, and its person. */
export const pairingWithDigest = lookUp<PairingCredentialRow>(
  "pairing",
  startedBy(
    "pairing_credential",
    "t.request_row, t.side, t.member_row, t.session_binding, t.generation, t.expires_at",
  ),
  (pairing) => ({ pairing }),
);
