import type { Actor } from "../acting/acting.ts";

/** Id of the person who reads pairing requests, or whose agent does. */
export async function readerOf({ kind, api }: Actor): Promise<string> {
  if (kind === "person") return (await api.call("getMe")).id;
  // An agent is always one of its person's own agents.
  return (await api.call("listOwnAgents")).agents[0]!.owner_id!;
}
