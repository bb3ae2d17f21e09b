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

type HolderColumns = Pick<PersonRow, "handle" | "display_name" | "server_role"> &
  Omit<KeyOfCaller, "row" | "id"> & {
    person_row: number;
    person_id: string;
    person_created_at: string;
    person_removed_at: string | null;
    key_row: number;
    key_id: string;
  };

const columns =
  "p.row AS person_row, p.id AS person_id, p.handle, p.display_name, p.server_role, p.created_at AS person_created_at, p.removed_at AS person_removed_at, " +
  "k.row AS key_row, k.id AS key_id, k.expires_at, k.idle_expiry_seconds, k.revoked_at, k.last_used_at";

/** The key and the person of a credential: the same objects for all that a key started. */
const holderOf = (tx: ReadTx, row: HolderColumns) =>
  tx.rowCache.get("holder", `${row.key_row} ${row.person_row}`, () => holder(row));

const holder = (row: HolderColumns) => ({
  person: {
    row: row.person_row,
    id: row.person_id,
    handle: row.handle,
    display_name: row.display_name,
    server_role: row.server_role,
    created_at: row.person_created_at,
    removed_at: row.person_removed_at,
  },
  key: {
    row: row.key_row,
    id: row.key_id,
    expires_at: row.expires_at,
    idle_expiry_seconds: row.idle_expiry_seconds,
    revoked_at: row.revoked_at,
    last_used_at: row.last_used_at,
  },
});

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
      const row = tx.get<Row & HolderColumns>(sql, digest);
      return row && { kind, digest, ...holderOf(tx, row), ...nothingElse, ...partOf(row, tx) };
    });
const startedBy = (table: string, own: string) =>
  `SELECT ${columns}, t.row, t.id, t.created_at, t.ended_at, ${own} FROM ${table} t ` +
  "JOIN access_key k ON k.row = t.key_row JOIN person p ON p.row = k.person_row WHERE t.digest = ?";

/** The access key with a digest, and its person. */
export const keyWithDigest = lookUp(
  "key",
  `SELECT ${columns} FROM access_key k JOIN person p ON p.row = k.person_row WHERE k.digest = ?`,
  () => ({}),
);

/** The seat whose token has a digest, the key that started it, and its person. */
export const seatWithDigest = lookUp<{ member_row: number }>(
  "agent",
  `SELECT t.member_row, ${columns} FROM seat_token t JOIN member m ON m.row = t.member_row ` +
    "JOIN person p ON p.row = m.person_row JOIN access_key k ON k.row = t.key_row WHERE t.digest = ?",
  ({ member_row }, tx) => ({ seat: memberAt(tx, member_row) }),
);

/** The browser session whose secret has a digest, the key that started it, and its person. */
export const sessionWithDigest = lookUp<BrowserSessionRow & { over_at: string }>(
  "browser",
  startedBy("browser_session", "t.started_with, t.expires_at AS over_at"),
  (row) => ({ session: { ...row, expires_at: row.over_at } }),
);

/** The delegation with a digest, the key that made it, and its person. */
export const delegationWithDigest = lookUp<DelegationRow>(
  "delegation",
  startedBy("delegation", "t.name"),
  (delegation) => ({ delegation }),
);

/** The credential of a session that is being paired, the key that selected it, and its person. */
export const pairingWithDigest = lookUp<PairingCredentialRow & { over_at: string }>(
  "pairing",
  startedBy(
    "pairing_credential",
    "t.request_row, t.side, t.member_row, t.session_binding, t.generation, t.expires_at AS over_at",
  ),
  (row) => ({ pairing: { ...row, expires_at: row.over_at } }),
);
