import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { memberAt, type MemberRow } from "../../db/members.ts";
import { messageAt, placeOfMessage, type MessageRow } from "../../db/messages.ts";
import { boardRowOf, placeOf } from "../../db/log/log-place.ts";
import { approveByAnswer } from "../asks/approving.ts";
import { answerOf, otherSide, requireAnswerForm } from "../asks/answering.ts";
import { askingOf } from "../asks/asking.ts";
import { roleAllows } from "../access/role-permissions.ts";
import { policyOf } from "../access/board-policy.ts";
import { attachedFiles } from "../files/attached-files.ts";
import type { Handler } from "../handler.ts";
import { newId } from "../ids.ts";
import { recordBy } from "../record.ts";
import { damp } from "../delivery/damping.ts";
import { tasksAbout } from "./message-tasks.ts";
import { readerOn } from "../access/readable-messages.ts";
import { replyTargets } from "./reply-recipients.ts";
import { resolveMentions } from "./resolve-mentions.ts";
import { resolveTargets, type Addressees } from "./targets.ts";
import { postedRecord } from "./views.ts";

export const postMessage: Handler<"postMessage"> = (
  tx,
  standing,
  { body: request },
  { loopGuard },
) => {
  const { caller, board, me } = standing;
  const asking = askingOf(tx, board, me, request);
  requireAnswerForm(request);
  const answered =
    request.reply_to === undefined ? null : answeredMessage(tx, board, me, request.reply_to);
  const given =
    (asking ? [`@${asking.to.name}`] : request.to) ??
    (answered
      ? replyTargets(tx, board, me, answered, () => otherSide(tx, me, answered, request))
      : ["all"]);
  const addressees = resolveTargets(tx, board, me, given);
  const { urgent = false } = request;
  const expects_reply = asking !== null || (request.expects_reply ?? false);
  if (me.kind === "agent") requireMayAddress(tx, board, me, addressees, urgent);

  const open = policyOf(board).visibility === "open";
  const { recipients } = addressees;
  const mentions = resolveMentions(
    tx,
    board,
    me,
    request.body,
    ({ row }) => open || recipients === null || recipients.some((each) => each.row === row),
  );
  const about = tasksAbout(tx, board, me, { ...request, answered: answered?.place ?? null });
  const ask = asking?.record(about);
  const answer = answerOf(tx, me, answered, request);
  const quiet = request.quiet ?? false;
  if (quiet) requireQuiet({ ask, answer, urgent, expects_reply });
  const files = attachedFiles(tx, board, request.files ?? []);
  // In the order of canonical JSON: then it is hashed without a copy.
  const draft = {
    ...(about.length > 0 && { about }),
    ...(answer && { answer }),
    ...(ask && { ask }),
    body: request.body,
    expects_reply,
    ...(files.length > 0 && { files }),
    mentions,
    message_id: newId(tx, "msg"),
    ...(quiet && { quiet }),
    ...(recipients && { recipients: recipients.map(({ id }) => id) }),
    redactions: [],
    reply_to: answered?.id ?? null,
    to: [...addressees.to],
    urgent,
  };
  const repliesTo = answered?.sender_row ?? null;
  const data = { ...draft, ...damp(tx, loopGuard, me, { data: draft, recipients, repliesTo }) };
  const seq = recordBy(tx, standing)("message.posted", data);
  if (answer) approveByAnswer(tx, standing, answer);
  const row = postedRow(tx, board, me, seq, answered);
  const posted = { at: tx.now, data };
  return postedRecord(
    tx,
    board,
    { ...me, handle: caller.person.handle, origin: null },
    row,
    posted,
  );
};

/** Refuses a quiet message that wants something. A reply to an ask may answer it without saying so. */
function requireQuiet(wanted: Readonly<Record<string, unknown>>): void {
  const named = Object.keys(wanted).find((name) => wanted[name]);
  if (!named) return;
  const problem =
    named === "answer"
      ? "a quiet message cannot answer or withdraw an ask"
      : `\`quiet\` and \`${named}\` do not go together`;
  throw refuse("invalid_combination", { problem });
}

/** Builds the row of a message that was just posted, without reading it back. */
const postedRow = (
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  seq: number,
  answered: AnsweredMessage | null,
): MessageRow => ({
  place: placeOf(board.row, seq),
  sender_row: me.row,
  reply_to: answered?.place ?? null,
  reply_to_from: answered && memberAt(tx, answered.sender_row)!.name,
  root: answered && (answered.root ?? answered.place),
  root_id: answered && (answered.root_id ?? answered.id),
  reply_count: 0,
  last_reply_at: null,
});

type AnsweredMessage = MessageRow & { readonly id: string };

/** The message that this one replies to, if it is on this board and the sender may read it. */
function answeredMessage(tx: ReadTx, board: BoardRow, me: MemberRow, id: string): AnsweredMessage {
  const place = placeOfMessage(tx, id);
  const message =
    place !== null && boardRowOf(place) === board.row
      ? messageAt(tx, place, readerOn(board, me))
      : null;
  if (!message) throw refuse("message_not_found");
  return { ...message, id };
}

/** Refuses an agent that writes to all, or urgently, if the policy requires a grant and its role has none. */
function requireMayAddress(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  { recipients }: Addressees,
  urgent: boolean,
): void {
  const policy = policyOf(board);
  const role = me.role ?? "none";
  if (
    recipients === null &&
    policy.broadcast === "granted" &&
    !roleAllows(tx, board, me, "broadcast")
  )
    throw refuse("broadcast_not_allowed", { role, suggestion: role });
  if (urgent && policy.urgent === "granted" && !roleAllows(tx, board, me, "urgent"))
    throw refuse("urgent_not_allowed", { role });
}
