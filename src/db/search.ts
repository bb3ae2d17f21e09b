import type { ReadTx } from "./database.ts";
import { namedIn } from "./message-pages.ts";
import { placeOf } from "./places.ts";
import type { Reader } from "./readers.ts";
import { shortest } from "./shortest.ts";

/** What a text must hold: words that follow each other, or with `prefix` words of which the last begins like this. */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
}

/** What is searched for, and in what. Seqs are exclusive bounds. */
export interface Search {
  /** All of them must be there. Each has a letter or a digit. */
  readonly terms: readonly Term[];
  readonly after: number;
  readonly before: number;
  /** Rows of the members whose messages, tasks or files are searched; null for everybody's. */
  readonly senders: readonly number[] | null;
  /** Of messages only what others wrote and what reaches the reader. */
  readonly toReader: boolean;
  /** Row of the task that it is to be or to be about; null for anything. */
  readonly task: number | null;
}

/** Something that has every term. */
export interface Match {
  /** Its place in the log. */
  readonly place: number;
  /** How many bytes are read to show it. */
  readonly size: number;
  /** Its texts in the order of the index's columns, with marks, where they came along; null for what nobody has written. */
  readonly texts: readonly (string | null)[] | null;
}

/** What was found, newest first, and whether along the index: then it holds few others between them. */
export interface Matches {
  readonly matches: readonly Match[];
  readonly alongIndex: boolean;
}

/** The newest that are found along a walk, and how many places the walk comes to; null where it goes to its end. */
export interface Way {
  readonly found: string;
  readonly walked: string | null;
  readonly alongIndex: boolean;
}

const random = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
/** What stands before and after each finding in a marked text. Nobody who writes a text knows them. */
export const marks = [`\u0002${random}`, `\u0003${random}`] as const;

/** What is searched of one kind. */
export interface Texts {
  /** Its index, whose row numbers are places. */
  readonly index: string;
  /** The index's columns. */
  readonly texts: readonly string[];
}
/** One kind of what is searched. */
export interface Source extends Texts {
  /** The ways to what is found: along the index, or along what the filters choose. */
  waysTo(reader: Reader, search: Search): readonly Way[];
}

/** Every term is a quoted string of the index's language, so that nothing of what somebody typed is read as language. */
const expressionOf = (terms: readonly Term[]): string =>
  terms
    .map(({ text, prefix }) => `"${text.replaceAll('"', '""')}"${prefix ? "*" : ""}`)
    .join(" AND ");

// As in message-pages.ts: ?1 and ?2 are the reader, ?3 and ?4 the bounds, ?5 is how many are asked for, ?6 how far a walk
// goes, ?7 the senders, ?8 the task. ?9 is the expression, ?10 and ?11 are the marks.
/** The places of at most ?6 that an index finds, newest first. */
export const indexWalk = (index: string): string =>
  `SELECT rowid AS place FROM ${index} WHERE ${index} MATCH ?9 AND rowid > ?3 AND rowid < ?4 ORDER BY rowid DESC LIMIT ?6`;
/** Most bytes of something whose texts are marked as it is found: 500 of them are half a megabyte. */
const mostMarkedBytes = 1024;
/** The columns of what an index finds, whose place and size are given: with its marked texts, if it is short. */
export const foundWithTexts = ({ index, texts }: Texts, place: string, size: string): string =>
  [
    `${place} AS place, ${size} AS size`,
    ...texts.map((_, column) => {
      const marked = `highlight(${index}, ${column}, ?10, ?11)`;
      return `CASE WHEN ${size} <= ${mostMarkedBytes} THEN ${marked} END AS t${column}`;
    }),
  ].join(", ");
/** That an index finds what stands at a place. */
export const matching = (index: string, place: string): string =>
  `EXISTS (SELECT 1 FROM ${index} WHERE ${index} MATCH ?9 AND ${index}.rowid = ${place})`;

/** The newest `limit` of a board that have every term and that the reader may read, newest first. */
export function newestMatches(
  tx: ReadTx,
  source: Source,
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
    ...marks,
  ];
  const along =
    ({ found, walked, alongIndex }: Way) =>
    (most: number): Matches | null => {
      const rows = tx.all<FoundRow>(found, ...namedIn(found, values(most)));
      const matches = rows.map((row) => ({
        ...{ place: row.place, size: row.size },
        texts: "t0" in row && row.size <= mostMarkedBytes ? textsOf(source, row) : null,
      }));
      const result = { matches, alongIndex };
      if (matches.length === limit || walked === null) return result;
      const { count } = tx.get<{ count: number }>(walked, ...namedIn(walked, values(most)))!;
      return count < most ? result : null;
    };
  return shortest(limit, source.waysTo(reader, search).map(along));
}

/** A row with the marked texts of what was found. */
type TextsRow = { readonly [column: `t${number}`]: string | null };
type FoundRow = TextsRow & { readonly place: number; readonly size: number };

const textsOf = ({ texts }: Texts, row: TextsRow) => texts.map((_, column) => row[`t${column}`]!);

/** What was found, with the texts that its index has of it, in their order and with marks around the findings. */
export interface MarkedTexts {
  readonly place: number;
  /** Null for what nobody has written. */
  readonly texts: readonly (string | null)[];
}

// The plus keeps SQLite from asking the index for each place by itself. Places are given newest first.
const markedInRange = (index: string, marked: string) =>
  `SELECT rowid AS place, ${marked} FROM ${index} ` +
  `WHERE ${index} MATCH ?1 AND rowid >= ?4 AND rowid <= ?5 AND +rowid IN (SELECT value FROM json_each(?6)) ORDER BY rowid DESC`;
const markedOneByOne = (index: string, marked: string) =>
  `SELECT ${index}.rowid AS place, ${marked} FROM json_each(?4) found ` +
  `CROSS JOIN ${index} ON ${index}.rowid = found.value WHERE ${index} MATCH ?1`;

/** The texts of matches, newest first: those that came along, and the others from the index. */
export function markedTexts(
  tx: ReadTx,
  source: Source,
  { matches, alongIndex }: Matches,
  terms: readonly Term[],
): MarkedTexts[] {
  const without = matches.filter(({ texts }) => texts === null);
  const looked =
    without.length > 0 ? lookUp(tx, source, { matches: without, alongIndex }, terms) : [];
  const rows = new Map(looked.map((row) => [row.place, row]));
  return matches.map(({ place, texts }) => ({
    place,
    texts: texts ?? textsOf(source, rows.get(place)!),
  }));
}

function lookUp(
  tx: ReadTx,
  { index, texts }: Texts,
  { matches, alongIndex }: Matches,
  terms: readonly Term[],
): (TextsRow & { readonly place: number })[] {
  const places = matches.map(({ place }) => place);
  const marked = texts.map((_, column) => `highlight(${index}, ${column}, ?2, ?3) AS t${column}`);
  const statement = (alongIndex ? markedInRange : markedOneByOne)(index, marked.join(", "));
  return tx.all(
    statement,
    ...[expressionOf(terms), ...marks],
    ...(alongIndex ? [places.at(-1)!, places[0]!] : []),
    JSON.stringify(places),
  );
}
