import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { seqOf } from "../../db/log/log-place.ts";
import type { Reader } from "../../db/readers.ts";
import { fileSource, messageSource, taskSource } from "../../db/search/search-sources.ts";
import {
  markedTexts,
  newestMatches,
  type Search,
  type Source,
  type Term,
} from "../../db/search/search.ts";
import type { Cursor } from "./cursor.ts";
import { foundIn, type Found, type Kind, type KindMatch } from "./ranking.ts";

const sources: Record<Kind, Source> = {
  message: messageSource,
  task: taskSource,
  file: fileSource,
};

const mostTogether = 500;
/** No match is added once they have this many bytes, because reading and marking them blocks other requests. */
const mostBytes = 512 * 1024;
/** No match is added past this cost. A text of 32,000 characters that consists of findings costs half of it. */
const mostWork = 2 ** 31;

/** A search: the board, the reader, the kinds and the filters. */
export interface Question {
  readonly board: BoardRow;
  readonly reader: Reader;
  readonly kinds: readonly Kind[];
  readonly search: Search;
}

/** Matches that are ranked together, newest first, and the place of the newest match older than these. */
export interface Block {
  readonly found: readonly Found[];
  readonly before: number | null;
}

/** The newest matches up to the cursor's position, of all kinds together. */
export function blockOf(tx: ReadTx, question: Question, { newest, shown }: Cursor): Block {
  const { search } = question;
  const upTo = { ...search, before: Math.min(search.before, newest + 1) };
  const matches = newestOf(tx, { ...question, search: upTo });
  const looking = foundInTurn(tx, search.terms, matches);
  const found: Found[] = [];
  let [bytes, work] = [0, 0];
  try {
    for (const { place, size } of matches) {
      const isFull = found.length === mostTogether || bytes >= mostBytes || work >= mostWork;
      if ((found.length > 0 && isFull) || (shown !== null && seqOf(place) < shown.oldest))
        return { found, before: place };
      const one = looking.next().value!;
      found.push(one);
      bytes += size;
      work += one.work;
    }
    return { found, before: null };
  } finally {
    looking.return();
  }
}

/** The matches of all kinds, newest first: as many as are ranked together, and one more. */
function newestOf(tx: ReadTx, { board, reader, kinds, search }: Question): KindMatch[] {
  const enough = { matches: mostTogether + 1, bytes: mostBytes };
  let { after } = search;
  return kinds
    .flatMap((kind) => {
      const asked = { ...search, after };
      const { matches, more } = newestMatches(tx, sources[kind], board.row, reader, asked, enough);
      // Matches of another kind that are older than the last of these cannot count.
      if (more) after = seqOf(matches.at(-1)!.place);
      return matches.map((match) => ({ ...match, kind }));
    })
    .sort((a, b) => b.place - a.place);
}

/** The results of matches, in the order given. Each text is read only when the caller asks for it. */
export function* foundInTurn(
  tx: ReadTx,
  terms: readonly Term[],
  matches: readonly KindMatch[],
): Generator<Found, void> {
  const byKind = Map.groupBy(matches, ({ kind }) => kind);
  const texts = new Map(
    [...byKind].map(([kind, own]) => [kind, markedTexts(tx, sources[kind], own, terms)]),
  );
  try {
    for (const { kind } of matches) yield foundIn(kind, texts.get(kind)!.next().value!);
  } finally {
    for (const each of texts.values()) each.return();
  }
}
