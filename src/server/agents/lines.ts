import { refuse } from "../../contract/refusal.ts";
import type { InputOf } from "../../contract/index.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { Tx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { currentTaskOf } from "../../db/tasks.ts";
import type { Handler } from "../handler.ts";
import { taskCalled } from "../tasks/find-task.ts";
import { requireWords } from "../tasks/check-texts.ts";
import { instant } from "../time.ts";
import { changeLine, takeLine } from "../tasks/change-line.ts";
import { ownAgent } from "../access/own-agent.ts";
import { memberRecord } from "./views.ts";

type Request = InputOf<"setLine">["body"];

export const setLine: Handler<"setLine"> = (tx, { board, me }, { body }) =>
  set(tx, board, me, me, body);

export const clearLine: Handler<"clearLine"> = (tx, { board, me }) => clear(tx, board, me, me);

export const setMemberLine: Handler<"setMemberLine"> = (
  tx,
  { caller, board, me },
  { params, body },
) => set(tx, board, ownAgent(tx, caller, board, params.member), me, body);

export const clearMemberLine: Handler<"clearMemberLine"> = (
  tx,
  { caller, board, me },
  { params },
) => clear(tx, board, ownAgent(tx, caller, board, params.member), me);

function set(tx: Tx, board: BoardRow, agent: MemberRow, setter: MemberRow, request: Request) {
  requireWords(request.text, "the line");
  changeLine(tx, board, {
    member_row: agent.row,
    kind: request.kind,
    text: request.text,
    until: untilOf(tx, request),
    setter_row: setter.row,
    source: request.source ?? "command",
    task_row: taskRowOf(tx, board, agent, request),
  });
  return memberRecord(tx, board, agent, setter);
}

function clear(tx: Tx, board: BoardRow, agent: MemberRow, reader: MemberRow) {
  takeLine(tx, board, agent.row);
  return memberRecord(tx, board, agent, reader);
}

function taskRowOf(tx: Tx, board: BoardRow, agent: MemberRow, { task }: Request): number | null {
  const meant = task === undefined ? currentTaskOf(tx, agent.row) : taskCalled(tx, board, task);
  return meant?.row ?? null;
}

function untilOf(tx: Tx, { kind, until }: Request): string | null {
  if (until === undefined) {
    if (kind === "working") return null;
    throw refuse("invalid_combination", { problem: "a paused line needs until" });
  }
  const time = instant(until);
  if (time === null) throw refuse("invalid_request", { problem: `until is not a time: ${until}` });
  if (time <= tx.now) throw refuse("line_until_past", { until: time });
  return time;
}
