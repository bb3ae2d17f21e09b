import type { Operations } from "../../contract/index.ts";
import type { Input } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { putDeliveryQueue, readableCount, type DeliveryQueueRow } from "../../db/delivery-queue.ts";
import type { MemberRow } from "../../db/members.ts";
import { placeOf } from "../../db/log/log-place.ts";
import type { Handler, Recheck } from "../handler.ts";
import { readerOn } from "../access/reader.ts";
import { afterSeconds, queueReportSeconds } from "../time.ts";
import { conflict, queueOf, queueRecord } from "./queue.ts";

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

/** A repeat changes and renews nothing, and is answered while its claim holds. */
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

/** Whether a claim is the one that holds. One that another token made does not: it went with that token. */
const holds = (queue: DeliveryQueueRow, claim: Claim): boolean =>
  queue.epoch === claim.epoch &&
  queue.session === claim.session &&
  queue.boot === claim.boot &&
  queue.digest === claim.digest;

/** Whether it is a claim or a report. Refuses what is both, or not all of one. */
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

/** The places of messages of the board that the seat may read. Refuses others, and one that is named twice. */
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
