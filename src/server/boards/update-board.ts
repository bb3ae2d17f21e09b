import { refuse } from "../../contract/refusal.ts";
import type { InputOf } from "../../contract/index.ts";
import { boardAt, holderOfPrefix } from "../../db/boards.ts";
import { requireActive } from "../access/archived-boards.ts";
import { policyOf } from "../access/board-policy.ts";
import type { Handler } from "../handler.ts";
import { recordBy } from "../record.ts";
import { changedPolicy } from "./policy-presets.ts";
import { titleFrom } from "./title.ts";
import { boardRecord } from "./views.ts";

export const updateBoard: Handler<"updateBoard"> = (tx, standing, { body }) => {
  const { caller, board, me } = standing;
  const title = titleFrom(body.title);
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

/** Whether the request only forbids agents to add people. An archived board takes no other change. */
const onlyClosesTheGate = (change: InputOf<"updateBoard">["body"]): boolean =>
  change.agents_add_people === false && Object.keys(change).length === 1;
