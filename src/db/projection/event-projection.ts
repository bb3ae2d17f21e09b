import type { Actor, EventData, EventType } from "../../contract/log.ts";
import type { Tx } from "../engine/database.ts";

/** An event of a board's log, just appended or read back. */
export interface Projected<T extends EventType = EventType> {
  readonly boardRow: number;
  readonly seq: number;
  readonly type: T;
  readonly at: string;
  readonly actor: Actor;
  readonly data: EventData<T>;
}

/** What one type of event does to the read models. */
export type Projection<T extends EventType> = (tx: Tx, event: Projected<T>) => void;
