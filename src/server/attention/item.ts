import type { Static } from "@sinclair/typebox";
import type { AttentionItem } from "../../contract/attention.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tools, Topic } from "../handler.ts";
import type { View } from "./view.ts";

type Record = Static<typeof AttentionItem>;

/** The part of an item that is made only when it is shown. */
export type Shown = Pick<Record, "from" | "title" | "text" | "ref" | "actions">;

/** Something that is open for a person. */
export interface Open {
  readonly kind: Record["kind"];
  /** What brought it about, as a part of the item's id: another cause makes another item. */
  readonly cause: string;
  readonly urgency: Record["urgency"];
  /** When that happened. */
  readonly at: string;
  readonly board: BoardRow | null;
  /** Everything else that the item shows and that can change while its cause lasts. */
  readonly mark?: string;
  show(server: Tools["server"]): Shown;
}

/** What one kind finds for a person. */
export interface Found {
  readonly open: readonly Open[];
  /** The next moments at which this may change by time alone. */
  readonly changesAt?: readonly string[];
  /** What may change it besides the topic of the person. */
  readonly topics?: readonly Topic[];
}

/** A kind of item: finds what is open for a person by look-ups of what is open, never by a walk over boards. */
export type Kind = (view: View) => Found;

/** The id of an item. */
export const idOf = ({ kind, cause }: Pick<Open, "kind" | "cause">): string => `${kind}.${cause}`;
