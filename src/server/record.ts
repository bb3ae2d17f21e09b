import type { EventData, EventType } from "../contract/log.ts";
import type { Tx } from "../db/database.ts";
import { append } from "../db/log.ts";
import type { Standing } from "./access.ts";
import { actorOf } from "./actor.ts";
import { newId } from "./ids.ts";

/** What appends the caller's events to their board's log. */
export const recordBy =
  (tx: Tx, { caller, board, me }: Standing<"on-board">) =>
  <T extends EventType>(type: T, data: EventData<T>): number =>
    append(tx, board, { id: newId(tx, "evt"), type, actor: actorOf(caller, me), data });
