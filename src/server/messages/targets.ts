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
  `^(?:all|@(?<name>${insideOf(memberNameForm)})|role:(?<role>${insideOf(roleNameForm)})|owner:(?<owner>${insideOf(handleForm)}))$`,
);

/** Finds the members that targets name now. The sender is never a recipient. */
export function resolveTargets(
  tx: ReadTx,
  board: BoardRow,
  sender: MemberRow,
  given: readonly string[],
): Addressees {
  const to = [...new Set(given)];
  if (to.includes("all")) {
    if (to.length > 1)
      throw refuse("invalid_target", {
        target: to.join(", "),
        problem: "`all` cannot be combined with other targets",
      });
    return { to, recipients: null };
  }
  const recipients = new Map<number, MemberRow>();
  for (const target of to)
    for (const member of membersOfTarget(tx, board, target))
      if (member.row !== sender.row) recipients.set(member.row, member);
  return { to, recipients: [...recipients.values()] };
}

function membersOfTarget(tx: ReadTx, board: BoardRow, target: string): MemberRow[] {
  const parts = form.exec(target)?.groups;
  if (!parts)
    throw refuse("invalid_target", { target, problem: "it is not a known form of target" });
  if (parts["name"] !== undefined) {
    const member = memberNamed(tx, board.row, parts["name"]);
    if (!member) throw unknownRecipient(tx, board, target);
    return member.status === "active" ? [member] : [];
  }
  if (parts["role"] !== undefined) {
    if (!roleNamed(tx, board.row, parts["role"]))
      throw refuse("role_unknown", { role: parts["role"], roles: roleNames(tx, board.row) });
    return holdersOf(tx, board.row, parts["role"]);
  }
  const person = peopleOf(tx, board.row).find(({ handle }) => handle === parts["owner"]);
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
