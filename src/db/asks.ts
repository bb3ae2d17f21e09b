import type { ReadTx } from "./engine/database.ts";
import { namedIn } from "./message-pages.ts";
import type { MessageRow } from "./messages.ts";
import { forReaders, joins, readable, type Reader } from "./readers.ts";

export interface AskRow {
  /** Place of its message. */
  place: number;
  board_row: number;
  asker_row: number;
  /** Who is asked. */
  member_row: number;
  /** The person who is asked, or the person of the agent that is asked. */
  person_row: number;
  task_row: number | null;
  /** When the asker goes on without an answer. Null for a blocking ask. */
  going_at: string | null;
  /** Place of the newest answer or withdrawal. */
  answer: number | null;
  answer_option: number | null;
  withdrawn: 0 | 1;
}

/** The ask in the message at a place. Null for a message without one. */
export const askAt = (tx: ReadTx, place: number) =>
  tx.get<AskRow>("SELECT * FROM ask WHERE place = ?", place);

/**
 * The asker whose ask an answer decides: with its first answer, or with another option. Null if it decides nothing, as
 * further words under an answered ask do, and for a withdrawal. It is asked before the answer is stored.
 */
export function askerDecidedFor(
  tx: ReadTx,
  place: number,
  { option, withdrawn }: { readonly option: number | null; readonly withdrawn: boolean },
): number | null {
  const ask = askAt(tx, place)!;
  const decides = ask.answer === null || (option !== null && option !== ask.answer_option);
  return decides && !withdrawn ? ask.asker_row : null;
}

/** How many open asks there are: those that block a task, and those that go on with a choice. */
export interface OpenAsks {
  readonly blocking: number;
  readonly going_with: number;
}

const openCounts = (column: "member_row" | "asker_row") =>
  `SELECT (SELECT count(*) FROM ask WHERE ${column} = ?1 AND answer IS NULL AND going_at IS NULL) AS blocking,` +
  ` (SELECT count(*) FROM ask WHERE ${column} = ?1 AND answer IS NULL AND going_at > ?2) AS going_with`;
const countsTo = openCounts("member_row");
const countsOf = openCounts("asker_row");

/** How many open asks a member has to answer. */
export const openAskCountsTo = (tx: ReadTx, memberRow: number): OpenAsks =>
  tx.get<OpenAsks>(countsTo, memberRow, tx.now)!;
/** How many of a member's own asks are open. */
export const openAskCountsOf = (tx: ReadTx, memberRow: number): OpenAsks =>
  tx.get<OpenAsks>(countsOf, memberRow, tx.now)!;

interface BlockingAsk {
  task_row: number;
  place: number;
  id: string;
  at: string;
  asker_row: number;
  member_row: number;
  /** Whether the reader may read it. */
  readable: 0 | 1;
}

const blockingText = forReaders(
  ({ readsAll }) =>
    `SELECT a.task_row, a.place, m.id, e.at, a.asker_row, a.member_row, ${readsAll ? "1" : readable} AS readable` +
    " FROM json_each(?3) t CROSS JOIN ask a ON a.task_row = t.value AND a.answer IS NULL AND a.going_at IS NULL" +
    " JOIN message m ON m.place = a.place JOIN event e ON e.place = a.place ORDER BY a.place",
);

/** The open asks that block these tasks, oldest first, including those that the reader may not read. */
export const blockingAsks = (tx: ReadTx, taskRows: readonly number[], reader: Reader) =>
  tx.all<BlockingAsk>(
    blockingText(reader),
    reader.memberRow,
    reader.role,
    JSON.stringify(taskRows),
  );

/** How many tasks of a board are blocked by an open ask. */
export const blockedTaskCount = (tx: ReadTx, boardRow: number): number =>
  tx.get<{ count: number }>(
    "SELECT count(DISTINCT task_row) AS count FROM ask WHERE board_row = ? AND answer IS NULL AND going_at IS NULL",
    boardRow,
  )!.count;

interface AskFilter {
  readonly state: "open" | "answered" | "withdrawn" | "went_with" | "all";
  /** Only asks to the reader. */
  readonly toReader: boolean;
  /** Only the reader's own asks. */
  readonly ofReader: boolean;
  readonly taskRow: number | null;
  /** Whether blocking asks come first. */
  readonly blockingFirst: boolean;
  readonly limit: number;
}
/** An ask with the columns that its message's record needs. */
export type ListedAsk = MessageRow & { readonly at: string; readonly blocking: 0 | 1 };

const states: Record<Exclude<AskFilter["state"], "open">, string> = {
  answered: "a.answer IS NOT NULL AND a.withdrawn = 0",
  withdrawn: "a.withdrawn = 1",
  went_with: "a.answer IS NULL AND a.going_at <= ?5",
  all: "1",
};

/** The places of open asks in a scope, by the index of those without an answer. */
const openPlaces = (scope: string) =>
  ["a.going_at IS NULL", "a.going_at > ?5"]
    .map((time) => `SELECT a.place FROM ask a WHERE ${scope} AND a.answer IS NULL AND ${time}`)
    .join(" UNION ALL ");

/** Asks of a board that the reader may read, newest first. */
export function asksOf(
  tx: ReadTx,
  boardRow: number,
  reader: Reader,
  { state, toReader, ofReader, taskRow, blockingFirst, limit }: AskFilter,
): ListedAsk[] {
  const scope = [
    ...(toReader ? ["a.member_row = ?1"] : []),
    ...(ofReader ? ["a.asker_row = ?1"] : []),
    ...(taskRow === null ? [] : ["a.task_row = ?6"]),
  ].join(" AND ");
  const within = scope || "a.board_row = ?4";
  const chosen =
    state === "open" ? `a.place IN (${openPlaces(within)})` : `${within} AND ${states[state]}`;
  const first = blockingFirst ? "a.going_at IS NULL DESC, " : "";
  const text = forReaders(
    ({ columns, andReadable }) =>
      `SELECT ${columns}, e.at, a.going_at IS NULL AS blocking FROM ask a CROSS JOIN message m ON m.place = a.place ${joins}` +
      ` JOIN event e ON e.place = a.place WHERE ${chosen}${andReadable} ORDER BY ${first}a.place DESC LIMIT ?3`,
  )(reader);
  const given = [reader.memberRow, reader.role, limit, boardRow, tx.now, taskRow];
  return tx.all<ListedAsk>(text, ...namedIn(text, given));
}
/** The ids of the open asks of a board, oldest first. */
export const openAskIdsOn = (tx: ReadTx, boardRow: number): string[] =>
  tx
    .all<{ id: string }>(
      "SELECT m.id FROM ask a JOIN message m ON m.place = a.place WHERE a.board_row = ? AND a.answer IS NULL AND (a.going_at IS NULL OR a.going_at > ?) ORDER BY a.place",
      boardRow,
      tx.now,
    )
    .map(({ id }) => id);
