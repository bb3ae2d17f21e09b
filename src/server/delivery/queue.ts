import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { deliveryQueueOf, observationOf, type DeliveryQueueRow } from "../../db/delivery-queue.ts";
import type { MemberRow } from "../../db/members.ts";
import { works } from "../access/identify.ts";

/** A seat's queue as it stands: of one that was never claimed, epoch 0. */
export const queueOf = (tx: ReadTx, seat: MemberRow): DeliveryQueueRow =>
  deliveryQueueOf(tx, seat.row) ?? {
    member_row: seat.row,
    epoch: 0,
    revision: 0,
    session: "",
    boot: "",
    digest: "",
    places: "[]",
    expires_at: null,
  };

/** The refusal of a claim or a report that is not of the claim that holds. */
export const conflict = ({ epoch, revision }: DeliveryQueueRow) =>
  refuse("queue_report_conflict", { epoch, revision });

/**
 * What a seat's daemon said and still holds: until its time is over, the seat ends, another token takes its place, or the
 * key behind it stops.
 */
function observationNow(tx: ReadTx, seat: MemberRow) {
  const said = seat.status === "active" ? observationOf(tx, seat.row) : null;
  return said && works(tx, said) ? said : null;
}

/** The same about one message, as receipts tell it. */
export function queuedNow(tx: ReadTx, seat: MemberRow, place: number) {
  const said = observationNow(tx, seat);
  return said && (JSON.parse(said.places) as number[]).includes(place)
    ? { boundary: "turn_end" as const, expires_at: said.until }
    : null;
}

/** Where a seat's reports stand. */
export function queueRecord(tx: ReadTx, board: BoardRow, seat: MemberRow) {
  const { epoch, revision } = queueOf(tx, seat);
  const said = observationNow(tx, seat);
  return {
    board_id: board.id,
    member_id: seat.id,
    epoch,
    revision,
    ...(said && { expires_at: said.until }),
  };
}
