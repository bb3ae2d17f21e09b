import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/database.ts";
import { seqOf } from "../../db/places.ts";
import type { Reader } from "../../db/readers.ts";
import { fileSource, messageSource, taskSource } from "../../db/search-sources.ts";
import {
  markedTexts,
  newestMatches,
  type Search,
  type Source,
  type Term,
} from "../../db/search.ts";
import type { Cursor } from "./cursor.ts";
import { byRank, foundIn, type Found, type Kind, type KindMatch } from "./ranking.ts";

/** What of each kind is found by. */
const sources: Record<Kind, Source> = {
  message: messageSource,
  task: taskSource,
  file: fileSource,
};

/** Most things that are ranked together. */
const mostTogether = 500;
/** No further one is, once they have so many bytes: reading and marking them keeps everybody waiting. */
const mostBytes = 512 * 1024;

/** Who searches what: the board, the kinds, and the filters. */
export interface Question {
  readonly board: BoardRow;
  readonly reader: Reader;
  readonly kinds: readonly Kind[];
  readonly search: Search;
}

/** What is ranked together: its matches, newest first, and the newest match before them. */
export interface Block {
  readonly found: readonly KindMatch[];
  readonly before: KindMatch | null;
}

/** The newest that are found up to where a cursor stands, of all kinds together. `without` is a place that is left out. */
export function blockOf(
  tx: ReadTx,
  { board, reader, kinds, search }: Question,
  { newest, shown }: Cursor,
  without: number | null,
): Block {
  const upTo = { ...search, before: Math.min(search.before, newest + 1) };
  // One more tells whether there are others before them, and one may be left out.
  const matches = newestOf(tx, kinds, { board, reader, search: upTo }, mostTogether + 2)
    .filter(({ place }) => place !== without)
    .sort((a, b) => b.place - a.place);
  let bytes = 0;
  const end = matches.findIndex(({ place, size }, index) => {
    const full = index === mostTogether || (index > 0 && bytes >= mostBytes);
    bytes += size;
    return full || (shown !== null && seqOf(place) < shown.oldest);
  });
  return {
    found: end === -1 ? matches : matches.slice(0, end),
    before: matches[end] ?? null,
  };
}

/** The newest matches of all kinds, at least `most` of them together if there are so many. */
function newestOf(
  tx: ReadTx,
  kinds: readonly Kind[],
  { board, reader, search }: Omit<Question, "kinds">,
  most: number,
): KindMatch[] {
  let { after } = search;
  return kinds.flatMap((kind) => {
    const asked = { ...search, after };
    const { matches, alongIndex } = newestMatches(
      tx,
      sources[kind],
      board.row,
      reader,
      asked,
      most,
    );
    // Before the last of so many nothing of another kind counts.
    if (matches.length === most) after = seqOf(matches.at(-1)!.place);
    return matches.map((match) => ({ ...match, kind, alongIndex }));
  });
}

/** What was matched, the best first. */
export function ranked(tx: ReadTx, terms: readonly Term[], matches: readonly KindMatch[]): Found[] {
  return [...Map.groupBy(matches, ({ kind }) => kind)]
    .flatMap(([kind, own]) => {
      const { alongIndex } = own[0]!;
      const texts = markedTexts(tx, sources[kind], { matches: own, alongIndex }, terms);
      return texts.map((each) => foundIn(kind, each));
    })
    .sort(byRank);
}
