import type { Static } from "@sinclair/typebox";
import type { HandedOutCode, JoinCode } from "../../contract/joining.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { JoinCodeRow } from "../../db/join-codes.ts";
import { memberRefAt } from "../member-ref.ts";

export const joinCodeRecord = (
  tx: ReadTx,
  board: BoardRow,
  code: JoinCodeRow,
): Static<typeof JoinCode> => ({
  id: code.id,
  kind: code.guest === null ? "pairing" : "guest",
  guest: code.guest,
  board: board.name,
  role: code.role,
  expires_at: code.expires_at,
  created_at: code.created_at,
  created_by: memberRefAt(tx, code.maker_row),
  revoked_at: code.revoked_at,
});

/** A code with its state and uses. A redeemed or revoked code does not become `expired`. */
export const handedOutCode = (
  tx: ReadTx,
  board: BoardRow,
  code: JoinCodeRow,
): Static<typeof HandedOutCode> => ({
  ...joinCodeRecord(tx, board, code),
  state: stateOf(tx, code),
  uses: code.uses,
});

function stateOf({ now }: ReadTx, code: JoinCodeRow) {
  if (code.used_at) return "redeemed";
  if (code.revoked_at) return "revoked";
  return code.expires_at <= now ? "expired" : "active";
}

/** The join line for a session, with a role or `guest` in `as`. It names this machine `localhost` and omits the usual ports. */
export function joinLine(board: string, serverUrl: string, as: string, code: string): string {
  const { hostname, port } = new URL(serverUrl);
  const local = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  const host = local ? "localhost" : hostname;
  const shown = port && !(local && port === "7400") ? `${host}:${port}` : host;
  return `Join service board ${board} on ${shown} as ${as} with code ${code}`;
}
