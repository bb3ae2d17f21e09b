import { refuse } from "../../contract/refusal.ts";
import type { Operations } from "../../contract/index.ts";
import type { Input } from "../../contract/operation.ts";
import { boardAt, holderOfPrefix, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { requireActive } from "../access.ts";
import type { Handler, Recheck } from "../handler.ts";
import { recordBy } from "../record.ts";
import { actsForOwner, ownersOf } from "./owners.ts";
import { changedPolicy, policyOf } from "./policy.ts";
import { titleFrom } from "./title.ts";
import { boardRecord } from "./views.ts";

export const updateBoard: Handler<"updateBoard"> = (tx, standing, { body }) => {
  const { caller, board, me } = standing;
  if (caller.seat && (body.policy || body.agents_add_people !== undefined))
    throw refuse("human_token_required");
  const title = titleFrom(body.title);
  requireAdmin(tx, board, me);
  if (!onlyClosesTheGate(body)) requireActive(tx, board);
  const holder = body.task_prefix === undefined ? null : holderOfPrefix(tx, body.task_prefix);
  if (body.task_prefix !== undefined && holder !== null && holder !== board.row)
    throw refuse("task_prefix_taken", { prefix: body.task_prefix });

  const record = recordBy(tx, standing);

  if (body.title !== undefined && title !== board.title)
    record("board.titled", { before: board.title, after: title });
  if (body.policy) {
    const before = policyOf(board);
    const after = changedPolicy(before, body.policy);
    if (!Bun.deepEquals(before, after))
      record("board.policy_changed", { before, after, preset_applied: body.policy.preset ?? null });
  }
  if (
    body.agents_add_people !== undefined &&
    body.agents_add_people !== (board.agents_add_people === 1)
  )
    record("board.agents_add_people_changed", { agents_add_people: body.agents_add_people });
  if (body.task_prefix !== undefined && body.task_prefix !== board.task_prefix)
    record("board.task_prefix_set", { before: board.task_prefix, after: body.task_prefix });
  return boardRecord(tx, boardAt(tx, board.row)!, me, caller);
};

/** A repeat is answered only while the caller may change the board. */
export const updateBoardAgain: Recheck<"updateBoard"> = (tx, { board, me }) =>
  requireAdmin(tx, board, me);

function requireAdmin(tx: ReadTx, board: BoardRow, me: MemberRow): void {
  if (!actsForOwner(tx, me))
    throw refuse("admin_required", { board: board.name, admins: ownersOf(tx, board.row) });
}

/** The one change that an archived board takes: agents may not add people any more. */
const onlyClosesTheGate = (change: Input<Operations["updateBoard"]>["body"]): boolean =>
  change.agents_add_people === false && Object.keys(change).length === 1;
