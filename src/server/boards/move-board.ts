import { refuse } from "../../contract/refusal.ts";
import { moveOf } from "../../db/moved-boards.ts";
import { system } from "../actor.ts";
import type { Handler } from "../handler.ts";
import { recordAs } from "../record.ts";

/** Records that an archived board goes on at another server, if nothing has happened on it since it was exported. */
export const moveBoard: Handler<"moveBoard"> = (tx, { board }, { params, body }, tools) => {
  const { server, board_id, head } = body;
  if (server === tools.server.url.toLowerCase())
    throw refuse("invalid_combination", { problem: `${server} is this server itself` });
  const answer = { id: board.id, server, changed: true };
  const before = moveOf(tx, board.row);
  if (before?.server === server && before.board_id === board_id)
    return { ...answer, changed: false };
  if (before) throw refuse("board_moved", { board: board.name, server: before.server });
  if (board.lifecycle !== "archived") throw refuse("board_not_archived", { board: params.board });
  if (head.seq !== board.head_seq || head.hash !== `sha256:${board.head_hash}`)
    throw refuse("board_head_changed", { board: board.name, seq: board.head_seq });
  recordAs(tx, board, system, "board.moved", { server, board_id });
  return answer;
};
