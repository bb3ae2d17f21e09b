import type { Caller } from "../access/identify.ts";

/** The properties that mark an event as made with a delegation; none for other callers. */
export const viaDelegation = ({ delegation }: Caller) =>
  delegation ? { via: "delegation" as const, delegation_id: delegation.id } : {};
