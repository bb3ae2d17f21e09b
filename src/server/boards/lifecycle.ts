import type { EventType } from "../../contract/log.ts";
import { refuse } from "../../contract/refusal.ts";
import { retainedBoardWithId, type BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { Standing } from "../access/caller-standing.ts";
import { mayArchive, refuseMoved } from "../access/archived-boards.ts";
import type { Handler, Recheck } from "../handler.ts";
import { recordBy } from "../record.ts";

// Who may: whoever `keeps-board` of the entry admits, which `mayArchive` in access/archived-boards.ts decides.

type Change = Extract<EventType, "board.archived" | "board.restored" | "board.deleted">;

export const archiveBoard: Handler<"archiveBoard"> = (tx, standing, { params }) =>
  change(tx, standing, params.board, "board.archived", "active", "archived");

export const restoreBoard: Handler<"restoreBoard"> = (tx, standing, { params }) =>
  restored(tx, standing, params.board);

export const deleteBoard: Handler<"deleteBoard"> = (tx, standing, { params }) =>
  change(tx, standing, params.board, "board.deleted", "archived", "deleted");

function restored(tx: Tx, standing: Standing<"keeps-board">, asked: string) {
  refuseMoved(tx, standing.board);
  return change(tx, standing, asked, "board.restored", "archived", "active");
}

function change<B extends BoardRow["lifecycle"], A extends BoardRow["lifecycle"]>(
  tx: Tx,
  { caller, board, me }: Standing<"keeps-board">,
  asked: string,
  type: Change,
  before: B,
  after: A,
) {
  if (after === "deleted" && board.lifecycle !== "archived")
    throw refuse("board_not_archived", { board: asked });
  const changed = board.lifecycle !== after;
  if (changed)
    recordBy(tx, { caller, board, me })(type, {
      person_id: caller.person.id,
      before,
      after,
    } as never);
  return { id: board.id, lifecycle: after, changed };
}

/** A replay of a deletion needs a caller who could still delete the board. */
export const deletedAgain: Recheck<"deleteBoard"> = (tx, { caller }, kept, _tools, { params }) => {
  const board = retainedBoardWithId(tx, kept.id);
  if (!board || !mayArchive(tx, board, caller))
    throw refuse("board_not_found", { board: params.board });
};
