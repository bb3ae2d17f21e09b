import { refuse } from "../../contract/refusal.ts";
import { handleTaken, reserveHandle, setHandle, type PersonRow } from "../../db/accounts.ts";
import { boardAt } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { activeMembership, holderOfName, membershipsOf, type MemberRow } from "../../db/members.ts";
import type { Caller } from "../access/identify.ts";
import { requireServerAdmin } from "../access/server-admin.ts";
import type { Handler, Recheck, RefusalRecheck } from "../handler.ts";
import { recordBy } from "../record.ts";
import { personCalled } from "./find-person.ts";
import { personRecord } from "./views.ts";

export const renamePerson: Handler<"renamePerson"> = (
  tx,
  { caller },
  { params, body: { handle } },
) => {
  mayRename(tx, caller, params.handle);
  const person = personCalled(tx, params.handle);
  if (person.handle === handle) return { person: personRecord(person), changed: false };
  const memberships = membershipsOf(tx, person.row);
  const taken =
    handleTaken(tx, handle, person.row) ||
    memberships.some((membership) => isAnothers(tx, membership, handle));
  if (taken) throw refuse("new_handle_taken", { handle });

  for (const membership of memberships) record(tx, caller, person, membership, handle);
  for (const each of [person.handle, handle]) reserveHandle(tx, each, person.row);
  setHandle(tx, person.row, handle);
  return { person: personRecord({ ...person, handle }), changed: true };
};

/** Refuses a caller who names somebody else and is no server admin. It does not reveal whether the handle exists. */
function mayRename(tx: ReadTx, caller: Caller, handle: string): void {
  if (handle !== caller.person.handle) requireServerAdmin(tx, caller);
}

/** Whether another member of a membership's board has a name, or a former member had it. */
function isAnothers(tx: ReadTx, { board_row, row }: MemberRow, name: string): boolean {
  const holder = holderOfName(tx, board_row, name);
  return holder !== null && holder.row !== row;
}

function record(
  tx: Tx,
  caller: Caller,
  person: PersonRow,
  membership: MemberRow,
  after: string,
): void {
  const board = boardAt(tx, membership.board_row)!;
  recordBy(tx, { caller, board, me: activeMembership(tx, board.row, caller.person.row) })(
    "person.renamed",
    { person_id: person.id, member_id: membership.id, before: person.handle, after },
  );
}

/** A replay needs the renamed person, by their permanent id, or a server admin. */
export const renamePersonAgain: Recheck<"renamePerson"> = (tx, { caller }, kept) => {
  if (kept.person.id !== caller.person.id) requireServerAdmin(tx, caller);
};

/** A kept refusal reveals who exists, so the caller must be allowed to rename that person now. */
export const renameRefusedAgain: RefusalRecheck<"renamePerson"> = (tx, { caller }, { params }) =>
  mayRename(tx, caller, params.handle);
