import type { ReadTx } from "../engine/database.ts";
import { namedIn } from "../message-pages.ts";
import { placeOf } from "../log/log-place.ts";
import type { Reader } from "../readers.ts";
import { markedColumn, type Marked } from "./excerpt-marks.ts";
import { meetings, walkOf, type Walk } from "./meeting-walks.ts";

/** Words that must follow each other in a text. With `prefix`, the last one is the beginning of a word. */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
}

/** A search: its terms and its filters. Seqs are exclusive bounds. */
export interface Search {
  /** A hit has all of them. Each has a letter or a digit. */
  readonly terms: readonly Term[];
  readonly after: number;
  readonly before: number;
  /** Rows of the members whose messages, tasks or files are searched; null for everybody's. */
  readonly senders: readonly number[] | null;
  /** Whether only messages by others that reach the reader are searched. */
  readonly toReader: boolean;
  /** Row of the task that a hit must be or be about; null for no such filter. */
  readonly task: number | null;
  /** The place of a hit that is left out; null for none. */
  readonly without: number | null;
}

/** A message, task or file that has every term. */
export interface Match {
  /** Its place in the log. */
  readonly place: number;
  /** How many bytes are read to show it. */
  readonly size: number;
  /** Its marked texts in the order of the index's columns, each null if it was never written. Null if they were not read yet. */
  readonly texts: readonly (Marked | null)[] | null;
}

/** How much is found at once: this many matches, or matches of this many bytes and one more. */
interface Enough {
  readonly matches: number;
  readonly bytes: number;
}

/** How one kind of things is searched. */
export interface Source {
  /** Its index, whose row numbers are places. */
  readonly index: string;
  /** The index's columns. */
  readonly texts: readonly string[];
  /** The tables, with the alias `m`, that have the row with this place. */
  from(place: string): string;
  /** Expression for the bytes of the row. */
  readonly size: string;
  /** Selects what the reader may read and the filters let through. */
  chosenBy(reader: Reader, search: Search): Chosen;
}

/**
 * Statements that return places, newest first. A place is selected if it is in all of `within` and in none of `without`. As
 * in message-pages.ts, ?1 and ?2 are the reader, ?3 and ?4 the bounds, ?6 how far to go, ?7 the senders, ?8 the task.
 */
interface Chosen {
  readonly within: readonly string[];
  readonly without: readonly string[];
}

/** The expression for the index. Every term is a quoted string in it, so nothing that somebody typed is read as an operator. */
const expressionOf = (terms: readonly Term[]): string =>
  terms
    .map(({ text, prefix }) => `"${text.replaceAll('"', '""')}"${prefix ? "*" : ""}`)
    .join(" AND ");

/** Texts of at most this many bytes are marked by the query that finds them. 500 of them are half a megabyte. */
const mostMarkedBytes = 1024;

// ?9 is the expression.
const inIndex = (index: string) => `${index} MATCH ?9 AND walk.rowid > ?3 AND walk.rowid < ?4`;
/** The places that an index finds, newest first. */
const indexText = ({ index }: Source) =>
  `SELECT walk.rowid AS place FROM ${index} walk WHERE ${inIndex(index)} ORDER BY walk.rowid DESC`;
/** The places that an index finds, newest first, with the marked texts of short entries. */
const markedText = ({ index, texts, from, size }: Source) => {
  const columns = texts.map(
    (_, column) =>
      `CASE WHEN ${size} <= ${mostMarkedBytes} THEN ${markedColumn(index, column)} END AS t${column}`,
  );
  return (
    `SELECT walk.rowid AS place, ${size} AS size, ${columns.join(", ")} FROM ${index} walk CROSS JOIN ${from("walk.rowid")} ` +
    `WHERE ${inIndex(index)} ORDER BY walk.rowid DESC`
  );
};
const sizeText = ({ from, size }: Source) =>
  `SELECT ${size} AS size FROM (SELECT ?1 AS place) found CROSS JOIN ${from("found.place")}`;

/** The newest matches of a board that the reader may read and the filters let through, newest first: all of them, or enough. `more` says that there may be older ones. */
export function newestMatches(
  tx: ReadTx,
  source: Source,
  boardRow: number,
  reader: Reader,
  search: Search,
  enough: Enough,
): { matches: readonly Match[]; more: boolean } {
  if (search.senders?.length === 0) return { matches: [], more: false };
  const chosen = source.chosenBy(reader, search);
  const asked = { tx, source, boardRow, reader, search };
  const all =
    chosen.within.length + chosen.without.length === 0
      ? alongIndex(asked)
      : alongWalks(asked, chosen);
  const matches: Match[] = [];
  let bytes = 0;
  for (const match of all) {
    if (match.place === search.without) continue;
    matches.push(match);
    if (matches.length === enough.matches || bytes >= enough.bytes) return { matches, more: true };
    bytes += match.size;
  }
  return { matches, more: false };
}

interface Asked {
  readonly tx: ReadTx;
  readonly source: Source;
  readonly boardRow: number;
  readonly reader: Reader;
  readonly search: Search;
}

/** The values for a statement that returns the places before `before`. */
function valuesFor(
  text: string,
  { boardRow, reader, search }: Asked,
  before = placeOf(boardRow, search.before),
) {
  return namedIn(text, [
    reader.memberRow,
    reader.role,
    placeOf(boardRow, search.after),
    before,
    null,
    // A negative LIMIT is none: the statement runs as long as its rows are asked for.
    -1,
    JSON.stringify(search.senders ?? []),
    search.task,
    expressionOf(search.terms),
  ]);
}

/** A row with the marked texts of what was found. */
type TextsRow = { readonly [column: `t${number}`]: Marked | null };

function* alongIndex(asked: Asked): Generator<Match, void> {
  const { tx, source } = asked;
  const text = markedText(source);
  const rows = tx.each<TextsRow & { place: number; size: number }>(text, ...valuesFor(text, asked));
  for (const row of rows) {
    const { place, size } = row;
    yield { place, size, texts: size <= mostMarkedBytes ? textsOf(source, row) : null };
  }
}

function* alongWalks(asked: Asked, { within, without }: Chosen): Generator<Match, void> {
  const { tx, source, boardRow, search } = asked;
  const walkBy = (text: string, options?: { restarts: boolean }): Walk =>
    walkOf(function* (before) {
      for (const { place } of tx.each<{ place: number }>(text, ...valuesFor(text, asked, before)))
        yield place;
    }, options);
  // Each new query of the index reads all words with a prefix again, so a walk with one does not restart.
  const restarts = !search.terms.some(({ prefix }) => prefix);
  const walks = [...within.map((text) => walkBy(text)), walkBy(indexText(source), { restarts })];
  const others = without.map((text) => walkBy(text));
  const text = sizeText(source);
  try {
    for (const place of meetings(placeOf(boardRow, search.before), walks, others))
      yield { place, size: tx.get<{ size: number }>(text, place)!.size, texts: null };
  } finally {
    for (const walk of [...walks, ...others]) walk.end();
  }
}

const textsOf = ({ texts }: Source, row: TextsRow) => texts.map((_, column) => row[`t${column}`]!);

/** A match with its marked texts, in the order of the index's columns. */
export interface MarkedTexts {
  readonly place: number;
  /** Null for a text that was never written. */
  readonly texts: readonly (Marked | null)[];
}

// The plus keeps SQLite from querying the index for each place separately. Places are passed newest first.
const markedInRange = (index: string, columns: string) =>
  `SELECT rowid AS place, ${columns} FROM ${index} ` +
  `WHERE ${index} MATCH ?1 AND rowid >= ?3 AND rowid <= ?4 AND +rowid IN (SELECT value FROM json_each(?2)) ORDER BY rowid DESC`;
const markedOneByOne = (index: string, columns: string) =>
  `SELECT ${index}.rowid AS place, ${columns} FROM json_each(?2) found ` +
  `CROSS JOIN ${index} ON ${index}.rowid = found.value WHERE ${index} MATCH ?1`;
/** A query of the index for one place takes as long as this many steps along it. */
const stepsOfOne = 256;

/**
 * The marked texts of matches, which must come newest first. Texts that the matches do not have are read from the index,
 * each when it is asked for, so a caller who stops early does not pay for the rest.
 */
export function* markedTexts(
  tx: ReadTx,
  source: Source,
  matches: readonly Match[],
  terms: readonly Term[],
): Generator<MarkedTexts, void> {
  const places = matches.filter(({ texts }) => texts === null).map(({ place }) => place);
  const [newest = 0, oldest = 0] = [places[0], places.at(-1)];
  const isDense =
    terms.some(({ prefix }) => prefix) || newest - oldest < places.length * stepsOfOne;
  const looked = (isDense ? lookInRange : lookOneByOne)(tx, source, places, terms);
  try {
    for (const { place, texts } of matches)
      yield { place, texts: texts ?? textsOf(source, looked.next().value!) };
  } finally {
    looked.return?.();
  }
}

type LookUp = (
  tx: ReadTx,
  source: Source,
  /** Newest first. */
  places: readonly number[],
  terms: readonly Term[],
) => IterableIterator<TextsRow>;

/** The marked texts at some places, read along the index: for places that lie close together. */
export const lookInRange: LookUp = (tx, { index, texts }, places, terms) =>
  tx.each(
    markedInRange(index, columnsOf(index, texts)),
    expressionOf(terms),
    JSON.stringify(places),
    places.at(-1) ?? 0,
    places[0] ?? 0,
  );
/** The marked texts at some places, queried one place at a time: for places that lie far apart. */
export const lookOneByOne: LookUp = (tx, { index, texts }, places, terms) =>
  tx.each(
    markedOneByOne(index, columnsOf(index, texts)),
    expressionOf(terms),
    JSON.stringify(places),
  );
const columnsOf = (index: string, texts: readonly string[]) =>
  texts.map((_, column) => `${markedColumn(index, column)} AS t${column}`).join(", ");
