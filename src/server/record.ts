import type { Actor, EventData, EventType } from "../contract/log.ts";
import type { Tx } from "../db/engine/database.ts";
import type { LogHead } from "../db/log/chain.ts";
import { append } from "../db/projection/append.ts";
import type { MemberRow } from "../db/members.ts";
import type { Caller } from "./access/identify.ts";
import { actorOf } from "./actor.ts";
import { newId } from "./ids.ts";

/** Appends an event with a new id to a board's log. Returns its seq. */
export const recordAs = <T extends EventType>(
  tx: Tx,
  board: LogHead,
  actor: Actor,
  type: T,
  data: EventData<T>,
): number => append(tx, board, { id: newId(tx, "evt"), type, actor, data });

interface Author {
  readonly caller: Caller;
  readonly board: LogHead;
  /** Null if the caller is not on the board. */
  readonly me: MemberRow | null;
}

/** Returns the function that appends the caller's events to a board's log. */
export const recordBy =
  (tx: Tx, { caller, board, me }: Author) =>
  <T extends EventType>(type: T, data: EventData<T>): number =>
    recordAs(tx, board, actorOf(caller, me), type, data);
