import { refuse } from "../../contract/refusal.ts";
import { setServerRoleOf } from "../../db/accounts.ts";
import type { Handler } from "../handler.ts";
import { requireOtherAdmin } from "../access/server-admin.ts";
import { personCalled } from "./find-person.ts";
import { personRecord } from "./views.ts";

export const setServerRole: Handler<"setServerRole"> = (tx, _standing, { params, body }) => {
  const person = personCalled(tx, params.handle);
  if (person.server_role === "guest") throw refuse("person_is_guest", { handle: person.handle });
  const changed = person.server_role !== body.server_role;
  if (changed) {
    if (body.server_role === "member") requireOtherAdmin(tx, person);
    setServerRoleOf(tx, person.row, body.server_role);
  }
  return { person: personRecord({ ...person, server_role: body.server_role }), changed };
};
