import { refuse } from "../../contract/refusal.ts";
import { dropMark, putMark, type MarkRow } from "../../db/attention.ts";
import { boardWithId } from "../../db/boards.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { memberOn, sees } from "../access/visible-boards.ts";
import type { Caller } from "../access/identify.ts";
import type { Handler, Recheck, Tools } from "../handler.ts";
import { afterSeconds, daySeconds, instant } from "../time.ts";
import { attentionOf, openAnywhere, type Attention } from "./attention.ts";
import { idOf, type Open } from "./item.ts";
import { itemRecord } from "./record.ts";

/** How long an item can be snoozed. */
const longestSnoozeSeconds = 30 * daySeconds;

/** The kinds that end by an act of the person: these are snoozed but not dismissed. */
const endedByAct: readonly Open["kind"][] = ["ask", "approval_ask", "reply_wanted", "pairing"];

export const snoozeAttention: Handler<"snoozeAttention"> = (
  tx,
  { caller },
  { params, body },
  { server },
) => {
  const found = openItem(tx, caller, params.item);
  const until = instant(body.until);
  if (until === null || until <= tx.now || until > afterSeconds(tx.now, longestSnoozeSeconds))
    throw refuse("snooze_out_of_range", { item: params.item });
  return marked(tx, caller, found, { until }, server);
};

export const endSnooze: Handler<"endSnooze"> = (tx, { caller }, { params }, { server }) =>
  marked(tx, caller, openItem(tx, caller, params.item), { until: null }, server);

export const dismissAttention: Handler<"dismissAttention"> = (
  tx,
  { caller },
  { params },
  { server },
) => {
  const found = openItem(tx, caller, params.item);
  if (endedByAct.includes(found.item.kind)) throw refuse("not_dismissable", { item: params.item });
  return marked(tx, caller, found, { dismissed: 1 }, server);
};

interface OpenItem {
  readonly item: Open;
  readonly attention: Attention;
}

/** The caller's own open item with an id, put aside or not. */
function openItem(tx: ReadTx, caller: Caller, id: string): OpenItem {
  const attention = attentionOf(tx, caller);
  const item = attention.open.get(id);
  if (!item) throw refuse("attention_not_found", { item: id });
  return { item, attention };
}

/** Records what the person did with an item. Forgets what they did with items that are not open any more. */
function marked(
  tx: Tx,
  caller: Caller,
  { item, attention }: OpenItem,
  change: Partial<Pick<MarkRow, "dismissed" | "until">>,
  server: Tools["server"],
) {
  const id = idOf(item);
  const { row: personRow } = caller.person;
  forgetOver(tx, caller, attention);
  const none = { item: id, dismissed: 0, until: null } as const;
  const mark = { ...none, ...attention.marks.get(id), ...change };
  putMark(tx, personRow, mark);
  return itemRecord(item, { marks: new Map([[id, mark]]) }, tx.now, server);
}

/** An item of an archived board is not over: it comes back with its board. */
function forgetOver(tx: Tx, caller: Caller, { marks, open }: Attention): void {
  const unlisted = [...marks.keys()].filter((id) => !open.has(id));
  if (unlisted.length === 0) return;
  const lasting = openAnywhere(tx, caller);
  for (const id of unlisted) if (!lasting.has(id)) dropMark(tx, caller.person.row, id);
}

/** Refuses a kept item whose board the person may not read any more. A pairing request only needs them to see its board. */
export const itemAgain: Recheck<"snoozeAttention"> &
  Recheck<"endSnooze"> &
  Recheck<"dismissAttention"> = (tx, { caller }, { kind, ref }, _tools, { params }) => {
  if (ref.board_id === undefined) return;
  const board = boardWithId(tx, ref.board_id);
  const reads = kind === "pairing" ? sees : memberOn;
  if (!board || !reads(tx, caller, board))
    throw refuse("attention_not_found", { item: params.item });
};
