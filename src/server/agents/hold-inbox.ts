import type { HeldInbox } from "../../db/engine/held-inboxes.ts";
import type { Db } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { presenceNow } from "../presence.ts";

/** Notes that an agent begins to wait for messages, and tells followers of its board. */
export function holdInbox(db: Db, { row, board_row: boardRow }: MemberRow): HeldInbox {
  const { held, isNews } = db.read((tx) => {
    const before = presenceNow(tx, row).presence;
    const held = db.heldInboxes.begin(row);
    return { held, isNews: presenceNow(tx, row).presence !== before };
  });
  // Nothing is written. If the server stops meanwhile, nobody is left to tell.
  if (isNews)
    db.write((tx) => tx.signal({ about: "presence", boardRow, memberRow: row })).catch(() => {});
  return held;
}
