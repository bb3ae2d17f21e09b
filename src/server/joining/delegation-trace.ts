import type { Caller } from "../access/identify.ts";

/** What an event says of how somebody came who came by a machine's delegation; nothing of others. */
export const viaDelegation = ({ delegation }: Caller) =>
  delegation ? { via: "delegation" as const, delegation_id: delegation.id } : {};
