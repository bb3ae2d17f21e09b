import type { ReadTx, Tx } from "./engine/database.ts";
import type { MemberAndHandle } from "./members.ts";
import { putRow } from "./insert-row.ts";

/** A person's current memberships, joined with their active agents on each board. */
export const ownAgentsJoin =
  "member own JOIN member m ON own.status = 'active' AND m.board_row = own.board_row AND m.kind = 'agent' AND m.status = 'active' AND m.person_row = own.human_row";

/** The active agents of a person on the boards they are on, in the order of the boards and then of joining. */
export const activeAgentsOf = (tx: ReadTx, personRow: number) =>
  tx.all<MemberAndHandle>(
    `SELECT m.*, p.handle, NULL AS origin FROM ${ownAgentsJoin} JOIN person p ON p.row = m.person_row WHERE own.human_row = ? ORDER BY m.board_row, m.joined_seq`,
    personRow,
  );

interface LocationRow {
  /** Name of the key behind the token that reported it. */
  machine: string;
  harness: string;
  session_id: string;
  folder: string;
  reported_at: string;
}

export const locationOf = (tx: ReadTx, memberRow: number) =>
  tx.get<LocationRow>(
    "SELECT k.name AS machine, l.harness, l.session_id, l.folder, l.reported_at FROM agent_location l JOIN access_key k ON k.row = l.key_row WHERE l.member_row = ?",
    memberRow,
  );
/** Stores where an agent is. It replaces the earlier location. */
export const putLocation = (
  tx: Tx,
  memberRow: number,
  keyRow: number,
  told: Pick<LocationRow, "harness" | "session_id" | "folder">,
) =>
  putRow(tx, "agent_location", {
    member_row: memberRow,
    key_row: keyRow,
    harness: told.harness,
    session_id: told.session_id,
    folder: told.folder,
    reported_at: tx.now,
  });
