import type { Operations } from "../../contract/index.ts";
import type { Input } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { putDeliveryQueue, readableCount, type DeliveryQueueRow } from "../../db/delivery-queue.ts";
import type { MemberRow } from "../../db/members.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { Handler, Recheck } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { afterSeconds, queueReportSeconds } from "../time.ts";
import { conflict, queueOf, queueRecord } from "./delivery-queue.ts";

type Report = Input<Operations["reportDeliveryQueue"]>["body"];
type Messages = NonNullable<Report["messages"]>;

export const reportDeliveryQueue: Handler<"reportDeliveryQueue"> = (
  tx,
  { caller, board, me },
  { body },
) => {
  const form = formOf(body);
  const queue = queueOf(tx, me);
  const by = { session: body.session, boot: body.boot, digest: caller.digest };
  if (form.claims) {
    if (form.expected !== queue.epoch) throw conflict(queue);
    const epoch = queue.epoch + 1;
    const none = { revision: 0, places: "[]", expires_at: null };
    putDeliveryQueue(tx, { member_row: me.row, epoch, ...by, ...none });
  } else {
    const { epoch, revision, messages } = form;
    if (!holds(queue, { epoch, ...by }) || revision <= queue.revision) throw conflict(queue);
    const places = placesOf(tx, board, me, messages);
    const expires_at = places.length ? afterSeconds(tx.now, queueReportSeconds) : null;
    putDeliveryQueue(tx, { ...queue, revision, places: JSON.stringify(places), expires_at });
  }
  return queueRecord(tx, board, me);
};

/** A replay changes and renews nothing. It needs the current claim. */
export const reportDeliveryQueueAgain: Recheck<"reportDeliveryQueue"> = (
  tx,
  { caller, me },
  { epoch },
  _tools,
  { body: { session, boot } },
) => {
  const queue = queueOf(tx, me);
  if (!holds(queue, { epoch, session, boot, digest: caller.digest })) throw conflict(queue);
};

type Claim = Pick<DeliveryQueueRow, "epoch" | "session" | "boot" | "digest">;

/** Whether a claim is the current one. A claim made with an earlier token is not. */
const holds = (queue: DeliveryQueueRow, claim: Claim): boolean =>
  queue.epoch === claim.epoch &&
  queue.session === claim.session &&
  queue.boot === claim.boot &&
  queue.digest === claim.digest;

/** Tells a claim from a report. Refuses a body that is both, or an incomplete report. */
function formOf({ expected_epoch: expected, epoch, revision, messages }: Report) {
  const parts = [epoch, revision, messages];
  if (expected !== undefined && parts.every((part) => part === undefined))
    return { claims: true, expected } as const;
  if (expected !== undefined || epoch === undefined || revision === undefined || !messages)
    throw refuse("invalid_combination", {
      problem: "send expected_epoch alone, or epoch, revision and messages",
    });
  return { claims: false, epoch, revision, messages } as const;
}

/** The log places of the messages. Refuses messages that the seat may not read, and a message that is named twice. */
function placesOf(tx: ReadTx, board: BoardRow, me: MemberRow, messages: Messages): number[] {
  const pairs = messages.map(
    ({ message_id, seq }) => [message_id, placeOf(board.row, seq)] as const,
  );
  if (new Set(pairs.map(([id]) => id)).size < pairs.length)
    throw refuse("invalid_combination", { problem: "a message is named twice" });
  if (readableCount(tx, readerOn(board, me), pairs) < pairs.length)
    throw refuse("message_not_found");
  return pairs.map(([, place]) => place);
}
