import type { ReadTx, Tx } from "./engine/database.ts";

/**
 * Why a message or an event concerns a person.
 * - `reply`: it waits for their reply
 * - `late`: it waits for the reply of an agent of theirs
 * - `mention`: a person mentioned them in it
 * - `added`: with it somebody put them on a board
 * - `undelivered`: an agent has not received this message of theirs
 */
export type CauseKind = "reply" | "late" | "mention" | "added" | "undelivered";

/** A message or an event that concerns a person until it is answered or read. */
export interface CauseRow {
  person_row: number;
  place: number;
  /** Who ends it by a reply or by reading: the person's own member, or an agent. */
  member_row: number;
  kind: CauseKind;
}

/** Everything that concerns a person, in the order of the places. */
export const causesOf = (tx: ReadTx, personRow: number) =>
  tx.all<CauseRow>(
    "SELECT * FROM attention_cause WHERE person_row = ? ORDER BY place, member_row",
    personRow,
  );

/** Records that a place concerns a person, and signals it. */
export function insertCause(tx: Tx, cause: CauseRow): void {
  tx.run(
    "INSERT INTO attention_cause (person_row, place, member_row, kind) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    cause.person_row,
    cause.place,
    cause.member_row,
    cause.kind,
  );
  tx.signal({ about: "attention", personRow: cause.person_row });
}

/** Ends what waited for a member's reply to a message. Whoever replies to it has received and read it, too. */
export const endAwaiting = (tx: Tx, memberRow: number, place: number): void =>
  endCauses(tx, "member_row = ?1 AND place = ?2", memberRow, place);

/** Ends what waited for a member's read position to reach a place. An addition to a board ends once the position is past it. */
export const endUnread = (tx: Tx, memberRow: number, upToPlace: number): void =>
  endCauses(
    tx,
    "member_row = ?1 AND place <= ?2 AND (kind IN ('mention', 'undelivered') OR (kind = 'added' AND place < ?2))",
    memberRow,
    upToPlace,
  );

/** Ends everything that waited for a member. */
export const endAllOf = (tx: Tx, memberRow: number): void =>
  endCauses(tx, "member_row = ?1", memberRow);

/** Ends what waited for a person who has left. If they come back, they still owe their replies. */
export const endAllButReplies = (tx: Tx, memberRow: number): void =>
  endCauses(tx, "member_row = ?1 AND kind <> 'reply'", memberRow);

function endCauses(tx: Tx, where: string, ...values: number[]): void {
  const people = tx.all<{ person_row: number }>(
    `SELECT DISTINCT person_row FROM attention_cause WHERE ${where}`,
    ...values,
  );
  if (people.length === 0) return;
  tx.run(`DELETE FROM attention_cause WHERE ${where}`, ...values);
  for (const { person_row: personRow } of people) tx.signal({ about: "attention", personRow });
}

/** Records the place of an agent's newest event that is not a message. */
export const noteAct = (tx: Tx, memberRow: number, place: number) =>
  tx.run(
    "INSERT INTO agent_act (member_row, place) VALUES (?, ?) ON CONFLICT (member_row) DO UPDATE SET place = excluded.place",
    memberRow,
    place,
  );
