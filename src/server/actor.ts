import type { Actor } from "../contract/log.ts";
import type { MemberRow } from "../db/members.ts";
import type { Caller } from "./access/identify.ts";

/** The actor of an event: the caller's member on the board, or only the person if they are not on it. */
export function actorOf(
  { person, seat }: Caller,
  me: Pick<MemberRow, "id" | "name"> | null,
): Actor {
  return seat
    ? { kind: "agent", member_id: seat.id, name: seat.name, owner: person.handle }
    : { kind: "human", member_id: me?.id ?? null, name: me?.name ?? person.handle, owner: null };
}

/** The actor of events that no caller asked for. */
export const system: Actor = { kind: "system", member_id: null, name: null, owner: null };
