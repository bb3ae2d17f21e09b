import { refuse } from "../../contract/refusal.ts";
import type { EventData } from "../../contract/log.ts";
import type { InputOf } from "../../contract/index.ts";
import { askAt, type AskRow } from "../../db/asks.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt, type MemberAndHandle, type MemberRow } from "../../db/members.ts";
import { postedAt, type MessageRow } from "../../db/messages.ts";
import { seqOf } from "../../db/log/log-place.ts";

type Request = InputOf<"postMessage">["body"];
type RecordedAnswer = NonNullable<EventData<"message.posted">["answer"]>;

/** Whether a member's reply can answer an ask: the member who was asked can, and the person of the asking agent. */
export function mayAnswer(tx: ReadTx, ask: AskRow, me: MemberRow): boolean {
  if (me.row === ask.member_row) return true;
  const asker = memberAt(tx, ask.asker_row)!;
  return me.kind === "human" && asker.kind === "agent" && asker.person_row === me.person_row;
}

/** Refuses an answer whose form fits no ask at all. */
export function requireAnswerForm({ answer, reply_to }: Request): void {
  if (!answer) return;
  if (reply_to === undefined)
    throw invalid("an answer names in `reply_to` the ask that it answers");
  if (answer.withdrawn && answer.option !== undefined)
    throw invalid("a withdrawal chooses no option");
}

const invalid = (problem: string) => refuse("ask_invalid", { problem });

/**
 * The recipient of an answer or a withdrawal when nobody else of its thread is left: the other side of the ask, even if
 * they have left the board, so that every ask can be answered and withdrawn. Null for every other reply.
 */
export function otherSide(
  tx: ReadTx,
  me: MemberRow,
  answered: MessageRow,
  { answer }: Request,
): MemberAndHandle | null {
  const ask = askAt(tx, answered.place);
  if (!ask) return null;
  if (mayAnswer(tx, ask, me)) return memberAt(tx, ask.asker_row);
  return me.row === ask.asker_row && answer?.withdrawn ? memberAt(tx, ask.member_row) : null;
}

/** The answer or withdrawal that a reply contains; null for an ordinary reply. */
export function answerOf(
  tx: ReadTx,
  me: MemberRow,
  answered: (MessageRow & { readonly id: string }) | null,
  { answer }: Request,
): RecordedAnswer | null {
  const ask = answered && askAt(tx, answered.place);
  if (!answered || !ask) {
    if (answer) throw invalid("the message replied to is no ask");
    return null;
  }
  const seq = seqOf(ask.place);
  const { option, withdrawn = false } = answer ?? {};
  if (withdrawn && me.row !== ask.asker_row)
    throw refuse("not_asked", { who: "whoever asked", what: "withdraw", seq });
  if (!withdrawn && !mayAnswer(tx, ask, me)) {
    if (!answer) return null;
    const who = "the member asked, and the person of an agent that asks,";
    throw refuse("not_asked", { who, what: "answer", seq });
  }
  const { options } = postedAt(tx, ask.place).data.ask!;
  if (option !== undefined && option > options.length)
    throw invalid(`#${seq} has ${options.length} options, and no option ${option}`);
  if (ask.withdrawn) {
    if (!answer) return null;
    throw refuse("ask_closed", { seq });
  }
  return { ask_id: answered.id, option: option ?? null, withdrawn };
}
