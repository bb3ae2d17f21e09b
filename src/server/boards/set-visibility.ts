import type { ReadTx } from "../../db/engine/database.ts";
import type { BoardRow } from "../../db/boards.ts";
import { fileCount } from "../../db/files.ts";
import { workingCodesOfBoard } from "../../db/join-codes.ts";
import { lastMessage } from "../../db/unread-counts.ts";
import { requireActive } from "../access/archived-boards.ts";
import { actorOf } from "../actor.ts";
import type { Handler } from "../handler.ts";
import { revokeCodes } from "./revoke-codes.ts";
import { recordAs } from "../record.ts";

export const setVisibility: Handler<"setVisibility"> = (tx, { caller, board, me }, { body }) => {
  const { visibility: before } = board;
  const { visibility: after, dry_run = false } = body;
  const changed = before !== after;
  if (changed && after === "open") requireActive(tx, board);

  const reveals = changed && after === "open" ? revealedBy(tx, board) : null;
  const codes = changed && after === "private" ? workingCodesOfBoard(tx, board.row) : [];
  if (changed && !dry_run) {
    const actor = actorOf(caller, me);
    recordAs(tx, board, actor, "board.visibility_changed", {
      before,
      after,
      reveals,
      agents_add_people: after === "open" && board.agents_add_people === 1,
    });
    revokeCodes(tx, board, actor, codes);
  }
  return {
    board: board.name,
    before,
    after,
    changed,
    dry_run,
    reveals,
    join_codes_canceled: codes.length,
  };
};

/** How many messages and files everybody on the server can read once the board is open. */
const revealedBy = (tx: ReadTx, board: BoardRow) => ({
  messages: lastMessage(tx, board.row, board.head_seq)?.number ?? 0,
  files: fileCount(tx, board.row),
});
