import { boardWithId } from "../../db/boards.ts";
import { insertInvite } from "../../db/invites.ts";
import { onBoard } from "../access/visible-boards.ts";
import { requireActive } from "../access/archived-boards.ts";
import type { Handler } from "../handler.ts";
import { newId } from "../ids.ts";
import { insertPairingOffer, pairingOffer } from "../pairing/invited-pairing.ts";
import { afterSeconds, daySeconds } from "../time.ts";

export const createServerInvite: Handler<"createServerInvite"> = (
  tx,
  { caller },
  { body },
  tools,
) => {
  const { ttl_seconds = 7 * daySeconds, boards = [], pairing } = body ?? {};
  const offered = boards.map((id) => {
    const { board } = onBoard(tx, caller, boardWithId(tx, id), id);
    requireActive(tx, board);
    return board;
  });
  const offer = pairing && pairingOffer(tx, caller, offered, pairing);

  const invite = tools.secrets.create("invitation");
  const id = newId(tx, "inv");
  const expiresAt = afterSeconds(tx.now, ttl_seconds);
  insertInvite(tx, {
    id,
    digest: tools.secrets.digest(invite),
    person_row: caller.person.row,
    boards: JSON.stringify(boards),
    created_at: tx.now,
    expires_at: expiresAt,
  });
  const pairingId = offer && insertPairingOffer(tx, caller, offer, { id, expiresAt });
  return {
    id,
    invite,
    server_role: "member",
    expires_at: expiresAt,
    ...(boards.length && { boards }),
    ...(pairingId && { pairing_request_id: pairingId }),
  };
};
