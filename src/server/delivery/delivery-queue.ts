import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { deliveryQueueOf, observationOf, type DeliveryQueueRow } from "../../db/delivery-queue.ts";
import type { MemberRow } from "../../db/members.ts";
import { keyWorks } from "../access/identify.ts";

/** A seat's queue. One that was never claimed has epoch 0. */
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

/** The refusal of a report or a new claim that does not match the current claim. */
export const conflict = ({ epoch, revision }: DeliveryQueueRow) =>
  refuse("queue_report_conflict", { epoch, revision });

/**
 * The last report of a seat's daemon, if it still counts. It stops counting when it expires, when the seat ends, or when the
 * token or its key is replaced or revoked.
 */
function observationNow(tx: ReadTx, seat: MemberRow) {
  const said = seat.status === "active" ? observationOf(tx, seat.row) : null;
  return said && keyWorks(tx, said) ? said : null;
}

/** Whether the daemon has queued one message, for receipts; null if it has not. */
export function queuedNow(tx: ReadTx, seat: MemberRow, place: number) {
  const said = observationNow(tx, seat);
  return said && (JSON.parse(said.places) as number[]).includes(place)
    ? { boundary: "turn_end" as const, expires_at: said.until }
    : null;
}

/** The epoch and revision of a seat's reports, and when the current report expires. */
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
