import { listedUnlessSaid } from "../../contract/limits.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { Caller } from "../access/identify.ts";
import type { Handler, Wait } from "../handler.ts";
import { isRendered } from "../rendered-list.ts";
import { attentionOf, stateOf, type Attention } from "./attention.ts";
import { itemRecord } from "./record.ts";

export const getAttention: Handler<"getAttention"> = (tx, { caller }, { query }, tools) => {
  const { limit = listedUnlessSaid } = query;
  const attention = lookOf(tx, caller);
  const { listed, counts, nextWakeAt } = attention;
  return {
    version: tools.attentionVersions.of(caller.person.row, stateOf(attention)),
    items: listed.slice(0, limit).map((item) => itemRecord(item, attention, tx.now, tools.server)),
    counts,
    more: listed.length > limit,
    next_wake_at: nextWakeAt,
  };
};

export const getAttentionWait: Wait<"getAttention"> = {
  isEmpty: (answer, { query: { since } }) =>
    !isRendered(answer) &&
    (since === undefined ? answer.items.length === 0 : answer.version === since),
  topics: ({ caller }, tx) => lookOf(tx, caller).topics,
  changesAt: ({ caller }, tx) => lookOf(tx, caller).changesAt,
};

/** One look for each transaction, which has one caller: the answer and the wait that follows it read the same. */
function lookOf(tx: ReadTx, caller: Caller): Attention {
  let look = looks.get(tx);
  if (!look) looks.set(tx, (look = attentionOf(tx, caller)));
  return look;
}
const looks = new WeakMap<ReadTx, Attention>();
