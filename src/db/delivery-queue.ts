import type { KeyRow } from "./accounts.ts";
import type { ReadTx, Tx } from "./engine/database.ts";
import { forReaders, type Reader } from "./readers.ts";
import { putRow } from "./insert-row.ts";

/** The claim on a seat's delivery queue, and its newest report. */
export interface DeliveryQueueRow {
  member_row: number;
  epoch: number;
  revision: number;
  session: string;
  boot: string;
  /** Digest of the token that claimed it. */
  digest: string;
  /** Places of the messages that wait, as a JSON list. */
  places: string;
  expires_at: string | null;
}

export const deliveryQueueOf = (tx: ReadTx, memberRow: number) =>
  tx.get<DeliveryQueueRow>("SELECT * FROM delivery_queue WHERE member_row = ?", memberRow);
export const putDeliveryQueue = (tx: Tx, queue: DeliveryQueueRow) =>
  putRow(tx, "delivery_queue", queue);

/** The last report of a seat's daemon, with the key behind its token. */
interface ObservationRow extends Pick<KeyRow, "revoked_at" | "expires_at"> {
  places: string;
  /** When the report expires. */
  until: string;
}
/** The report about a seat's queue that has not expired and was made with the seat's current token. */
export const observationOf = (tx: ReadTx, memberRow: number) =>
  tx.get<ObservationRow>(
    "SELECT q.places, q.expires_at AS until, k.revoked_at, k.expires_at FROM delivery_queue q JOIN seat_token t ON t.member_row = q.member_row AND t.digest = q.digest JOIN access_key k ON k.row = t.key_row WHERE q.member_row = ? AND q.expires_at > ?",
    memberRow,
    tx.now,
  );

const countText = forReaders(
  ({ andReadable }) =>
    `SELECT count(*) AS count FROM json_each(?3) q JOIN message m ON m.id = q.value ->> 0 WHERE m.place = q.value ->> 1${andReadable}`,
);
/** How many of these messages, each given by id and place, exist and may be read by the reader. */
export const readableCount = (
  tx: ReadTx,
  reader: Reader,
  messages: readonly (readonly [id: string, place: number])[],
) =>
  tx.get<{ count: number }>(
    countText(reader),
    reader.memberRow,
    reader.role,
    JSON.stringify(messages),
  )!.count;
