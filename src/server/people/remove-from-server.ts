import { refuse } from "../../contract/refusal.ts";
import {
  endSessionsOfPerson,
  keysOfPerson,
  personAt,
  sessionCountOfKey,
  setPersonRemoved,
  type PersonRow,
} from "../../db/accounts.ts";
import { boardsOfPerson, type BoardRow } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { revokeInvitesOf } from "../../db/invites.ts";
import { activeMembership, agentsOfPerson, peopleOf, type MemberRow } from "../../db/members.ts";
import { keyWorks, type Caller } from "../access/identify.ts";
import { actorOf } from "../actor.ts";
import { departed, endStay, type Leaving } from "../boards/end-stay.ts";
import { passOn } from "../boards/pass-on-ownership.ts";
import type { Handler } from "../handler.ts";
import { recordAs } from "../record.ts";
import { endKey } from "./keys.ts";
import { requireOtherAdmin } from "../access/server-admin.ts";
import { personCalled } from "./find-person.ts";
import { personRecord } from "./views.ts";

export const removeFromServer: Handler<"removeFromServer"> = (tx, standing, { params, query }) => {
  const { caller } = standing;
  const { dry_run = false } = query;
  const person = personCalled(tx, params.handle);
  requireOtherAdmin(tx, person);
  const departures = boardsOfPerson(tx, person.row).map((board) => departure(tx, board, person));
  refuseGuestsAlone(person, departures);
  const keys = keysOfPerson(tx, person.row).filter((key) => keyWorks(tx, key));
  const removal = {
    person: personRecord(person),
    dry_run,
    keys_revoked: keys.length,
    browser_sessions_ended: keys.reduce((sum, { row }) => sum + sessionCountOfKey(tx, row), 0),
    agents_removed: departures.reduce((sum, { agents }) => sum + agents.length, 0),
    boards_left: departures.length,
    owners_passed: departures.filter(({ heir }) => heir).length,
    unreachable_boards: departures.flatMap(({ board, left }) =>
      left === "nobody" ? board.id : [],
    ),
  };
  if (dry_run) return removal;
  for (const each of departures) depart(tx, caller, each);
  endCredentials(tx, person);
  setPersonRemoved(tx, person.row);
  return removal;
};

interface Departure extends Leaving {
  readonly board: BoardRow;
  /** Who becomes the owner if the person is the last one; otherwise null. */
  readonly heir: MemberRow | null;
  readonly left: "members" | "guests alone" | "nobody";
}

function departure(tx: ReadTx, board: BoardRow, person: PersonRow): Departure {
  const member = activeMembership(tx, board.row, person.row)!;
  const others = peopleOf(tx, board.row).filter(({ row }) => row !== member.row);
  const [longest = null] = others.filter(
    ({ person_row }) => personAt(tx, person_row)!.server_role !== "guest",
  );
  const lastOwner = member.access === "admin" && !others.some(({ access }) => access === "admin");
  return {
    board,
    member,
    agents: agentsOfPerson(tx, board.row, person.row),
    heir: lastOwner ? longest : null,
    left: longest ? "members" : others.length > 0 ? "guests alone" : "nobody",
  };
}

function refuseGuestsAlone({ handle }: PersonRow, all: readonly Departure[]): void {
  const boards = all.flatMap(({ board, left }) => (left === "guests alone" ? board.id : []));
  if (boards.length > 0) throw refuse("guests_left_alone", { handle }, { boards });
}

/** Takes a person and their agents off a board, revokes their join codes, and makes the heir its owner if there is one. */
function depart(tx: Tx, caller: Caller, { board, heir, ...leaving }: Departure): void {
  const actor = actorOf(caller, activeMembership(tx, board.row, caller.person.row));
  endStay(tx, board, actor, leaving, () => {
    recordAs(tx, board, actor, "person.removed", { ...departed(tx, leaving), from_server: true });
    if (heir) passOn(tx, board, heir, personAt(tx, heir.person_row)!);
  });
}

function endCredentials(tx: Tx, person: PersonRow): void {
  endSessionsOfPerson(tx, person.row);
  revokeInvitesOf(tx, person.row);
  for (const key of keysOfPerson(tx, person.row)) endKey(tx, key);
}
