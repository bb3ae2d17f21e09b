import type { ReadTx, Tx } from "./engine/database.ts";
import { memberAt, type MemberRow, type MidturnPolicy } from "./members.ts";
import { ownAgentsJoin } from "./own-agents.ts";
import { putRow } from "./insert-row.ts";

/** A person's settings for an agent, and for all their agents. Every read of an inbox needs them, and they seldom change. */
export const midturnOf = (tx: ReadTx, { row, person_row }: MemberRow) => ({
  override: memberAt(tx, row)!.midturn_override,
  byDefault: midturnDefaultOf(tx, person_row),
});
/** The setting of a person for all their agents. */
export const midturnDefaultOf = (tx: ReadTx, personRow: number) =>
  tx.rowCache.get("midturn default", personRow, () => ({
    policy:
      tx.get<{ policy: MidturnPolicy }>(
        "SELECT policy FROM midturn_default WHERE person_row = ?",
        personRow,
      )?.policy ?? null,
  })).policy;
/** The settings of a person for single active agents, ordered by board and then by joining. */
export const midturnOverridesOf = (tx: ReadTx, personRow: number) =>
  tx.all<{ member_id: string; policy: MidturnPolicy }>(
    `SELECT m.id AS member_id, o.policy FROM ${ownAgentsJoin} JOIN midturn_override o ON o.member_row = m.row WHERE own.human_row = ? ORDER BY m.board_row, m.joined_seq`,
    personRow,
  );

export const setMidturnDefault = (tx: Tx, personRow: number, policy: MidturnPolicy) =>
  putRow(tx, "midturn_default", { person_row: personRow, policy });
export const setMidturnOverride = (tx: Tx, memberRow: number, policy: MidturnPolicy) =>
  putRow(tx, "midturn_override", { member_row: memberRow, policy });
export const dropMidturnOverride = (tx: Tx, memberRow: number) =>
  tx.run("DELETE FROM midturn_override WHERE member_row = ?", memberRow);
