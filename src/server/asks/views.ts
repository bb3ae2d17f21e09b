import type { Static } from "@sinclair/typebox";
import type { AskState, MessageAnswer, MessageAsk } from "../../contract/ask.ts";
import { askAt, type AskRow } from "../../db/asks.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberWithId, type MemberRow } from "../../db/members.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import { messageAt, placeOfMessage, postedAt } from "../../db/messages.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { taskAt } from "../../db/tasks.ts";
import { roleAllows } from "../access/role-permissions.ts";
import { memberRef } from "../member-ref.ts";
import { readerOn } from "../access/readable-messages.ts";
import { mayAnswer } from "./answering.ts";

function askStateNow(now: string, ask: AskRow): Static<typeof AskState> {
  if (ask.withdrawn) return "withdrawn";
  if (ask.answer !== null) return "answered";
  return ask.going_at !== null && ask.going_at <= now ? "went_with" : "open";
}

/** Whether a message is an ask or an answer. Its rendering then depends on other messages, the clock and the reader. */
export const isOfAnAsk = ({ ask, answer }: Posted["data"]): boolean => Boolean(ask ?? answer);

/** The ask or answer of a message, as a member sees it; no fields for other messages. */
export function askParts(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  place: number,
  data: Posted["data"],
): { ask?: Static<typeof MessageAsk>; answer?: Static<typeof MessageAnswer> } {
  if (data.ask) return { ask: askRecord(tx, board, me, askAt(tx, place)!, data.ask) };
  if (data.answer) return { answer: answerRecord(tx, board, me, data.answer) };
  return {};
}

function askRecord(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  row: AskRow,
  { to, options, blocking, going_with, going_at, approval }: NonNullable<Posted["data"]["ask"]>,
): Static<typeof MessageAsk> {
  const task = row.task_row === null ? null : taskAt(tx, row.task_row)!;
  const open = !row.withdrawn && board.lifecycle === "active" && roleAllows(tx, board, me, "post");
  return {
    to: memberRef(memberWithId(tx, to)!),
    options,
    blocking,
    going_with,
    going_at,
    task: task && { id: task.id, ref: task.ref, title: task.title },
    state: askStateNow(tx.now, row),
    answer_seq: row.answer === null ? null : seqOf(row.answer),
    answer_option: row.answer_option,
    ...(approval && { approval }),
    can_answer: open && mayAnswer(tx, row, me),
    can_withdraw: open && me.row === row.asker_row,
  };
}

function answerRecord(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  { ask_id, option, withdrawn }: NonNullable<Posted["data"]["answer"]>,
): Static<typeof MessageAnswer> {
  const place = placeOfMessage(tx, ask_id)!;
  // The options are part of the ask. A reader who may not read the ask gets only the option's number.
  const options =
    option !== null && messageAt(tx, place, readerOn(board, me))
      ? postedAt(tx, place).data.ask!.options
      : [];
  return {
    ask_id,
    ask_seq: seqOf(place),
    option,
    option_text: option === null ? null : (options[option - 1] ?? null),
    withdrawn,
  };
}
