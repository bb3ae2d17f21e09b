import type { Static } from "@sinclair/typebox";
import { inviteWarning, type Allowance, type AllowanceCategory } from "../../contract/allowance.ts";
import { allowanceCategories } from "../../contract/words.ts";
import type { PersonRow } from "../../db/accounts.ts";
import { allowanceOf, setAllowanceOf } from "../../db/allowances.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { Handler } from "../handler.ts";

export const getAllowance: Handler<"getAllowance"> = (tx, { caller }) => record(tx, caller.person);

export const setAllowance: Handler<"setAllowance"> = (tx, { caller: { person } }, { body }) => {
  const before = readAllowance(tx, person);
  const categories = allowanceCategories.filter((each) => body.categories.includes(each));
  if (categories.join() !== before.categories.join())
    setAllowanceOf(tx, person.row, {
      categories: JSON.stringify(categories),
      revision: before.revision + 1,
    });
  return record(tx, person);
};

/** Whether a person currently lets their agents do something without asking. */
export const allows = (tx: ReadTx, person: PersonRow, category: AllowanceCategory): boolean =>
  readAllowance(tx, person).categories.includes(category);

function readAllowance(tx: ReadTx, person: PersonRow) {
  const row = allowanceOf(tx, person.row);
  const categories = row ? (JSON.parse(row.categories) as AllowanceCategory[]) : [];
  return { categories, revision: row?.revision ?? 0 };
}

/** A person's allowance. Its id is derived from the person's, since everybody has one before anything is stored. */
function record(tx: ReadTx, person: PersonRow): Static<typeof Allowance> {
  const { categories, revision } = readAllowance(tx, person);
  return {
    id: person.id.replace("hum_", "alw_"),
    revision,
    person_id: person.id,
    categories,
    ...(categories.includes("invite-people") && { warning: inviteWarning }),
  };
}
