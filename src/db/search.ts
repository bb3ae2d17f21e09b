import type { ReadTx } from "./database.ts";
import { aboutTask, bySenders, namedIn, sendersWalk, taskWalk } from "./message-pages.ts";
import { placeOf } from "./places.ts";
import { reached, reachedWalk, readable, readableWalk, type Reader } from "./readers.ts";
import { shortest } from "./shortest.ts";

/** What a text must hold: words that follow each other, or with `prefix` words of which the last begins like this. */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
}

/** What is searched for, and in which messages. Seqs are exclusive bounds. */
export interface Search {
  /** All of them must be there. Each has a letter or a digit. */
  readonly terms: readonly Term[];
  readonly after: number;
  readonly before: number;
  /** Rows of the members whose messages are searched; null for everybody's. */
  readonly senders: readonly number[] | null;
  /** Only what others wrote and what reaches the reader. */
  readonly toReader: boolean;
  /** Row of the task that they are about; null for messages about anything. */
  readonly task: number | null;
}

/** A text that has every term, and how many bytes its event has. */
export interface Match {
  readonly place: number;
  readonly size: number;
}

/** Texts that were found, newest first, and whether along the index: then it holds few others between them. */
export interface Matches {
  readonly matches: readonly Match[];
  readonly alongIndex: boolean;
}

/** Every term is a quoted string of the index's language, so that nothing of what somebody typed is read as language. */
const expressionOf = (terms: readonly Term[]): string =>
  terms
    .map(({ text, prefix }) => `"${text.replaceAll('"', '""')}"${prefix ? "*" : ""}`)
    .join(" AND ");

// As in message-pages.ts: ?1 and ?2 are the reader, ?3 and ?4 the bounds, ?5 is how many are asked for, ?6 how far a walk
// goes, ?7 the senders, ?8 the task. ?9 is the expression.
const indexWalk =
  "SELECT rowid AS place FROM search_text WHERE search_text MATCH ?9 AND rowid > ?3 AND rowid < ?4 ORDER BY rowid DESC LIMIT ?6";
const matching =
  "EXISTS (SELECT 1 FROM search_text WHERE search_text MATCH ?9 AND search_text.rowid = m.place)";

/** The newest that are found along a walk, and how many places the walk comes to. */
interface Way {
  readonly found: string;
  readonly walked: string;
}

const wayAlong = (walk: string, conditions: readonly string[]): Way => ({
  found:
    `SELECT m.place, octet_length(e.data) AS size FROM (${walk}) walk CROSS JOIN message m ON m.place = walk.place CROSS JOIN event e ON e.place = m.place ` +
    `WHERE ${conditions.join(" AND ") || "1"} ORDER BY m.place DESC LIMIT ?5`,
  walked: `SELECT count(*) AS count FROM (${walk})`,
});

/** The ways to what is found: along the index, or along the messages of whom it is searched for, whichever is shorter. */
function waysTo(reader: Reader, { terms, senders, toReader, task }: Search): Way[] {
  const restricted = !reader.readsAll && !toReader;
  const conditions = [
    ...(toReader ? [reached, "m.sender_row <> ?1"] : []),
    ...(restricted ? [readable] : []),
    ...(senders ? [bySenders] : []),
    ...(task === null ? [] : [aboutTask]),
  ];
  const walks = [
    ...(toReader ? [reachedWalk("DESC")] : []),
    ...(restricted ? [readableWalk("DESC")] : []),
    ...(senders ? [sendersWalk("DESC")] : []),
    ...(task === null ? [] : [taskWalk("DESC")]),
  ];
  // Each question to the index reads all words with a prefix anew: too much for every message of a walk.
  const asked = terms.some(({ prefix }) => prefix) ? [] : walks;
  return [
    wayAlong(indexWalk, conditions),
    ...asked.map((walk) => wayAlong(walk, [...conditions, matching])),
  ];
}

/** The newest `limit` texts of a board that have every term and that the reader may read, newest first. */
export function newestMatches(
  tx: ReadTx,
  boardRow: number,
  reader: Reader,
  search: Search,
  limit: number,
): Matches {
  const { terms, after, before, senders, task } = search;
  const values = (most: number) => [
    reader.memberRow,
    reader.role,
    placeOf(boardRow, after),
    placeOf(boardRow, before),
    limit,
    most,
    JSON.stringify(senders ?? []),
    task,
    expressionOf(terms),
  ];
  const along =
    ({ found, walked }: Way, number: number) =>
    (most: number): Matches | null => {
      const matches = tx.all<Match>(found, ...namedIn(found, values(most)));
      const result = { matches, alongIndex: number === 0 };
      if (matches.length === limit) return result;
      const { count } = tx.get<{ count: number }>(walked, ...namedIn(walked, values(most)))!;
      return count < most ? result : null;
    };
  return shortest(limit, waysTo(reader, search).map(along));
}

/** A text with marks around what the terms are found by. */
export interface MarkedText {
  readonly place: number;
  readonly marked: string;
}

// The plus keeps SQLite from asking the index for each place by itself. Places are given newest first.
const markedInRange =
  "SELECT rowid AS place, highlight(search_text, 0, ?2, ?3) AS marked FROM search_text " +
  "WHERE search_text MATCH ?1 AND rowid >= ?4 AND rowid <= ?5 AND +rowid IN (SELECT value FROM json_each(?6)) ORDER BY rowid DESC";
const markedOneByOne =
  "SELECT search_text.rowid AS place, highlight(search_text, 0, ?2, ?3) AS marked FROM json_each(?4) found " +
  "CROSS JOIN search_text ON search_text.rowid = found.value WHERE search_text MATCH ?1";

/** The texts of matches, newest first. `marks` are what stands before and after each finding. */
export function markedTexts(
  tx: ReadTx,
  { matches, alongIndex }: Matches,
  terms: readonly Term[],
  marks: readonly [string, string],
): MarkedText[] {
  if (matches.length === 0) return [];
  const places = matches.map(({ place }) => place);
  const asked = [expressionOf(terms), ...marks];
  return alongIndex
    ? tx.all<MarkedText>(
        markedInRange,
        ...[...asked, places.at(-1)!, places[0]!, JSON.stringify(places)],
      )
    : tx.all<MarkedText>(markedOneByOne, ...asked, JSON.stringify(places));
}
