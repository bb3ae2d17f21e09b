import { handleForm, insideOf, memberNameForm, roleNameForm } from "../../contract/forms.ts";
import { refuse } from "../../contract/refusal.ts";
import { roleNamed, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import {
  agentsOfPerson,
  holdersOf,
  memberNamed,
  membersOf,
  peopleOf,
  type MemberRow,
} from "../../db/members.ts";
import { roleNames } from "../boards/roles.ts";

/** The recipients of a message: its targets as the log has them, and the members they name now; null if it is to all. */
export interface Addressees {
  readonly to: readonly string[];
  readonly recipients: readonly MemberRow[] | null;
}

const form = new RegExp(
  `^(all|@${insideOf(memberNameForm)}|role:${insideOf(roleNameForm)}|owner:${insideOf(handleForm)})$`,
);

/** Finds the members that targets name now. The sender is never a recipient. */
export function resolveTargets(
  tx: ReadTx,
  board: BoardRow,
  sender: MemberRow,
  given: readonly string[],
): Addressees {
  const to = given.length > 1 ? [...new Set(given)] : given;
  if (to.includes("all")) {
    if (to.length > 1)
      throw refuse("invalid_target", {
        target: to.join(", "),
        problem: "`all` cannot be combined with other targets",
      });
    return { to, recipients: null };
  }
  const named = to
    .flatMap((target) => membersOfTarget(tx, board, target))
    .filter(({ row }) => row !== sender.row);
  if (to.length <= 1) return { to, recipients: named };
  return { to, recipients: [...new Map(named.map((member) => [member.row, member])).values()] };
}

function membersOfTarget(tx: ReadTx, board: BoardRow, target: string): MemberRow[] {
  if (!form.test(target))
    throw refuse("invalid_target", { target, problem: "it is not a known form of target" });
  if (target.startsWith("@")) {
    const member = memberNamed(tx, board.row, target.slice(1));
    if (!member) throw unknownRecipient(tx, board, target);
    return member.status === "active" ? [member] : [];
  }
  const name = target.slice(target.indexOf(":") + 1);
  if (target.startsWith("role:")) {
    if (!roleNamed(tx, board.row, name))
      throw refuse("role_unknown", { role: name, roles: roleNames(tx, board.row) });
    return holdersOf(tx, board.row, name);
  }
  const person = peopleOf(tx, board.row).find(({ handle }) => handle === name);
  if (!person) throw unknownRecipient(tx, board, target);
  return agentsOfPerson(tx, board.row, person.person_row);
}

/** Greatest number of names in a hint. */
const mostNamed = 20;

function unknownRecipient(tx: ReadTx, board: BoardRow, target: string) {
  const { members, choices } = namedMembers(tx, board);
  return refuse("unknown_recipient", { target, members }, { choices });
}

/** The names of a board's members for a refusal, in words and as a list. Of many only the first are named. */
export function namedMembers(tx: ReadTx, board: BoardRow) {
  const names = membersOf(tx, board.row).map(({ name }) => name);
  const choices = names.slice(0, mostNamed);
  const more = names.length - choices.length;
  return { members: `${choices.join(", ")}${more > 0 ? ` and ${more} more` : ""}`, choices };
}
