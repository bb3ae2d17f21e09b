import type { Operation } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import type { Caller } from "./identify.ts";

/** Refuses guests and their agents every operation whose entry does not say `guests: true`. */
export function refuseGuest(op: Operation, { person }: Caller): void {
  if (person.server_role === "guest" && !op.guests) throw refuse("guest_not_allowed");
}
