import type { Db } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { presenceNow } from "../presence.ts";

/** Notes that an agent begins to wait for messages, and tells followers of its board. Returns the function that notes the end. */
export function holdInbox(db: Db, { row, board_row: boardRow }: MemberRow): () => void {
  const presence = () => db.read((tx) => presenceNow(tx, row)).presence;
  const before = presence();
  const release = db.heldInboxes.begin(row);
  // Nothing is written. If the server stops meanwhile, nobody is left to tell.
  if (presence() !== before)
    db.write((tx) => tx.signal({ about: "presence", boardRow, memberRow: row })).catch(() => {});
  return release;
}
