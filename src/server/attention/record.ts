import type { Static } from "@sinclair/typebox";
import type { AttentionItem } from "../../contract/attention.ts";
import type { Tools } from "../handler.ts";
import { isSnoozed, type Attention } from "./attention.ts";
import { idOf, type Open } from "./item.ts";

/** An item as its person sees it. */
export function itemRecord(
  item: Open,
  { marks }: Pick<Attention, "marks">,
  now: string,
  server: Tools["server"],
): Static<typeof AttentionItem> {
  const mark = marks.get(idOf(item));
  const { kind, urgency, board, at } = item;
  return {
    id: idOf(item),
    kind,
    urgency,
    board: board?.name ?? null,
    at,
    ...item.show(server),
    ...(mark && isSnoozed(mark, now) && { snoozed_until: mark.until! }),
  };
}
