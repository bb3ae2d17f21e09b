import { wakes } from "../../contract/waking.ts";
import type { EventData } from "../../contract/log.ts";
import { askerDecidedFor } from "../../db/asks.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { agentsOf, memberAt, memberKeyOf, type MemberRow } from "../../db/members.ts";
import { placeOfMessage } from "../../db/messages.ts";
import type { LoopGuard } from "../handler.ts";

/** A message that is about to be recorded. */
interface Draft {
  readonly data: EventData<"message.posted">;
  /** Its recipients. Null if it is to all. */
  readonly recipients: readonly MemberRow[] | null;
  /** The sender of the message that it replies to. */
  readonly repliesTo: number | null;
}

/**
 * Decides which agents a message does not wake because they and its sender have only been waking each other, and counts
 * the message. Returns the fields of its event.
 */
export function damp(
  tx: Tx,
  guard: LoopGuard | null,
  me: MemberRow,
  draft: Draft,
): Pick<EventData<"message.posted">, "damped" | "ring"> {
  if (!guard) return {};
  const sender = { row: me.row, boardRow: me.board_row };
  const { ask, answer, quiet } = draft.data;
  if (me.kind === "human") guard.personWrote(tx, me.board_row);
  else if (ask) guard.worked(tx, sender);
  const decidedFor = answer
    ? askerDecidedFor(tx, placeOfMessage(tx, answer.ask_id)!, answer)
    : null;
  if (decidedFor !== null) guard.worked(tx, { row: decidedFor, boardRow: me.board_row });
  // What is a sign of work is no exchange itself.
  if (me.kind === "human" || ask || decidedFor !== null || quiet) return {};
  const woken = wokenBy(tx, me, draft, guard.waits);
  const { damped, ring } = guard.weigh(tx, sender, woken);
  if (damped.length === 0) return {};
  return { damped: damped.map((row) => memberAt(tx, row)!.id), ...(ring && { ring }) };
}

/** Rows of the agents that a message of an agent would wake, by their mode or because they wait for their inbox. */
function wokenBy(
  tx: ReadTx,
  me: MemberRow,
  { data, recipients, repliesTo }: Draft,
  waits: LoopGuard["waits"],
): number[] {
  const mentioned = data.mentions.flatMap(({ id, wakes: may }) =>
    may ? memberKeyOf(tx, id)!.row : [],
  );
  const addressed = recipients ?? agentsOf(tx, me.board_row);
  const isWoken = ({ kind, row, delivery_mode }: MemberRow, byName: boolean): boolean =>
    kind === "agent" &&
    row !== me.row &&
    (wakes(delivery_mode, {
      fromPerson: false,
      addressed: byName,
      mentioned: mentioned.includes(row),
      repliesToIt: repliesTo === row,
      expectsReply: data.expects_reply,
      urgent: data.urgent,
      silent: false,
    }) ||
      waits(row, tx.now));
  const woken: number[] = [];
  for (const member of addressed) if (isWoken(member, recipients !== null)) woken.push(member.row);
  for (const row of mentioned)
    if (!addressed.some((member) => member.row === row) && isWoken(memberAt(tx, row)!, false))
      woken.push(row);
  return woken;
}
