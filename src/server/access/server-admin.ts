import { refuse } from "../../contract/refusal.ts";
import { serverAdmins, type PersonRow } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { Caller } from "./identify.ts";

/** Whether a person is a server admin now. No other file decides this. */
export const isServerAdmin = (person: Pick<PersonRow, "server_role" | "removed_at">): boolean =>
  person.server_role === "admin" && person.removed_at === null;

/** Whether the caller is a server admin with their own key or browser. An admin's agents and delegations do not count. */
export const actsAsServerAdmin = ({ kind, person }: Pick<Caller, "kind" | "person">): boolean =>
  (kind === "key" || kind === "browser") && isServerAdmin(person);

/** Refuses a caller who does not act as a server admin. */
export function requireServerAdmin(tx: ReadTx, caller: Caller): void {
  if (!actsAsServerAdmin(caller)) throw refuse("server_admin_required", { admins: adminsOf(tx) });
}

/** Refuses if a person is the last server admin. */
export function requireOtherAdmin(tx: ReadTx, person: PersonRow): void {
  if (serverAdmins(tx).every(({ row }) => row === person.row)) throw refuse("last_admin");
}

/** Handles of the server's admins, for a hint. */
export const adminsOf = (tx: ReadTx): string =>
  serverAdmins(tx)
    .map(({ handle }) => `@${handle}`)
    .join(", ");
