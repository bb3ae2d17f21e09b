import { refuse } from "../../contract/refusal.ts";
import { people, personNamed } from "../../db/accounts.ts";
import type { Handler } from "../handler.ts";
import { personRecord } from "./views.ts";

export const listServerPeople: Handler<"listServerPeople"> = (tx, { caller }, { query }) => {
  if (query.handle === undefined) {
    if (caller.seat) throw refuse("human_token_required");
    return { people: people(tx).map(personRecord) };
  }
  const person = personNamed(tx, query.handle);
  // Nobody finds a guest. The answer is byte for byte that for an unknown handle.
  if (!person || person.server_role === "guest")
    throw refuse("person_not_found", { handle: query.handle });
  return { id: person.id, handle: person.handle, display_name: person.display_name };
};
