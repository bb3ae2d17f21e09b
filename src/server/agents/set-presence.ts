import { presenceOf, reportPresence } from "../../db/presences.ts";
import type { Handler } from "../handler.ts";
import { presenceNow } from "../presence.ts";

export const setPresence: Handler<"setPresence"> = (tx, { board, me }, { body }) => {
  const stored = presenceOf(tx, me.row);
  const before = presenceNow(tx, me.row);
  // The same report renews the presence. After a lapse or a wait for messages it begins a new one.
  const renews = stored?.presence === body.presence && before.presence === body.presence;
  const since = renews ? stored.since : tx.now;
  // `auto` is the old name of `all`. It is accepted but never shown.
  const reported = body.delivery === "auto" ? "all" : body.delivery;
  const delivery = reported ?? stored?.delivery ?? null;
  reportPresence(tx, {
    member_row: me.row,
    presence: body.presence,
    since,
    reported_at: tx.now,
    delivery,
    person_row: me.person_row,
  });
  if (before.presence !== body.presence || before.delivery !== delivery || stored === null)
    tx.signal({ about: "presence", boardRow: board.row, memberRow: me.row });
  if (!renews) tx.signal({ about: "attention", personRow: me.person_row });
  return {
    board: board.name,
    agent: me.name,
    presence: body.presence,
    presence_since: since,
  };
};
