import type { ReadTx, Tx } from "./engine/database.ts";
import type { AskRow } from "./asks.ts";
import type { MachineRequestRow } from "./machine-requests.ts";
import { mostPolls } from "./machine-requests.ts";
import type { PairingRow } from "./pairings.ts";

/** The open asks to a person, and to their agents, oldest first. */
export const openAsksToPerson = (tx: ReadTx, personRow: number) =>
  tx.all<AskRow>(
    "SELECT * FROM ask WHERE person_row = ?1 AND answer IS NULL AND going_at IS NULL" +
      " UNION ALL SELECT * FROM ask WHERE person_row = ?1 AND answer IS NULL AND going_at > ?2 ORDER BY place",
    personRow,
    tx.now,
  );

/** The pairing requests that a person takes part in and that may still be open, oldest first. */
export const openPairingsOf = (tx: ReadTx, personRow: number) =>
  tx.all<PairingRow>(
    "SELECT * FROM pairing_request WHERE inviter_row = ?1 AND expires_at > ?2 AND ended IS NULL AND ready_at IS NULL" +
      " UNION SELECT * FROM pairing_request WHERE recipient_row = ?1 AND expires_at > ?2 AND ended IS NULL AND ready_at IS NULL ORDER BY row",
    personRow,
    tx.now,
  );

/** The undecided machine requests to a person under their handle, oldest first. */
export const machineRequestsTo = (tx: ReadTx, personRow: number, handle: string) =>
  tx.all<MachineRequestRow>(
    `SELECT * FROM machine_request WHERE person_row = ? AND state = 'pending' AND expires_at > ? AND handle = ? AND polls < ${mostPolls} ORDER BY row`,
    personRow,
    tx.now,
    handle,
  );

/** An agent that reports that it waits for its person. */
interface WaitingAgent {
  member_row: number;
  since: string;
  reported_at: string;
}

/** The active agents of a person whose last report after a moment is that they wait for the person, the longest first. */
export const waitingAgentsOf = (tx: ReadTx, personRow: number, reportedAfter: string) =>
  tx.all<WaitingAgent>(
    "SELECT p.member_row, p.since, p.reported_at FROM presence p JOIN member m ON m.row = p.member_row" +
      " WHERE p.person_row = ? AND p.presence = 'waiting' AND p.reported_at > ? AND m.status = 'active' ORDER BY p.since, p.member_row",
    personRow,
    reportedAfter,
  );

/** An agent with a task in progress, and when it was last heard of. */
export interface WorkingAgent {
  member_row: number;
  board_row: number;
  /** The newest of these tasks. */
  task_row: number;
  /** The newest of its last message, its last other event, and its last sign of a session. */
  heard_at: string;
}

const lastMessage =
  "(SELECT e.at FROM event e WHERE e.place = (SELECT place FROM message WHERE sender_row = t.owner_row ORDER BY place DESC LIMIT 1))";
const lastAct =
  "(SELECT e.at FROM agent_act a JOIN event e ON e.place = a.place WHERE a.member_row = t.owner_row)";
// A report that the session has ended says when that was, however often it is repeated.
const lastSession =
  "(SELECT CASE presence WHEN 'no_session' THEN since ELSE reported_at END FROM presence WHERE member_row = t.owner_row)";

/** The agents of a person that own a task in progress. */
export const workingAgentsOf = (tx: ReadTx, personRow: number) =>
  tx.all<WorkingAgent>(
    "SELECT owner_row AS member_row, board_row, task_row, max(task_at, coalesce(message_at, ''), coalesce(act_at, ''), coalesce(session_at, '')) AS heard_at FROM (" +
      `SELECT t.owner_row, t.board_row, max(t.row) AS task_row, m.joined_at AS task_at, ${lastMessage} AS message_at, ${lastAct} AS act_at, ${lastSession} AS session_at` +
      " FROM task t JOIN member m ON m.row = t.owner_row WHERE t.worker_row = ? AND m.status = 'active' GROUP BY t.owner_row)",
    personRow,
  );

/** What a person did with an item of their list. */
export interface MarkRow {
  item: string;
  dismissed: 0 | 1;
  /** Until when it is snoozed. */
  until: string | null;
}

/** What a person put aside. */
export const marksOf = (tx: ReadTx, personRow: number) =>
  tx.all<MarkRow>(
    "SELECT item, dismissed, until FROM attention_mark WHERE person_row = ?",
    personRow,
  );
/** Records what a person did with an item, in place of what they did before, and signals it. */
export function putMark(tx: Tx, personRow: number, { item, dismissed, until }: MarkRow): void {
  tx.run(
    "INSERT INTO attention_mark (person_row, item, dismissed, until) VALUES (?, ?, ?, ?) ON CONFLICT (person_row, item) DO UPDATE SET dismissed = excluded.dismissed, until = excluded.until",
    personRow,
    item,
    dismissed,
    until,
  );
  tx.signal({ about: "attention", personRow });
}
/** Deletes what a person did with an item. */
export const dropMark = (tx: Tx, personRow: number, item: string) =>
  tx.run("DELETE FROM attention_mark WHERE person_row = ? AND item = ?", personRow, item);

/** Signals each person on a board that something there may have changed what needs them. */
export function signalPeopleOf(tx: Tx, boardRow: number): void {
  for (const { person_row: personRow } of tx.all<{ person_row: number }>(
    "SELECT person_row FROM member WHERE board_row = ? AND kind = 'human' AND status = 'active'",
    boardRow,
  ))
    tx.signal({ about: "attention", personRow });
}

/** Signals each person who has an open ask that cites a file. */
export function signalAskedAbout(tx: Tx, fileRow: number): void {
  for (const { person_row: personRow } of tx.all<{ person_row: number }>(
    "SELECT DISTINCT a.person_row FROM file_posted p JOIN ask a ON a.place = p.place WHERE p.file_row = ? AND a.answer IS NULL",
    fileRow,
  ))
    tx.signal({ about: "attention", personRow });
}

/** Signals each person who has an open ask that stands in the way of a task. */
export function signalAskedForTask(tx: Tx, taskRow: number): void {
  for (const { person_row: personRow } of tx.all<{ person_row: number }>(
    "SELECT DISTINCT person_row FROM ask WHERE task_row = ? AND going_at IS NULL AND answer IS NULL",
    taskRow,
  ))
    tx.signal({ about: "attention", personRow });
}

/** Signals the person whose agent owns a task in progress. */
export function signalWorker(tx: Tx, taskRow: number): void {
  const personRow = tx.get<{ worker_row: number | null }>(
    "SELECT worker_row FROM task WHERE row = ?",
    taskRow,
  )?.worker_row;
  if (personRow) tx.signal({ about: "attention", personRow });
}
