import {
  closeMark,
  openMark,
  type Marked,
  type MarkedTexts,
  type Match,
} from "../../db/search/search.ts";

/** The kinds of what is found, in no order. */
export const kinds = ["message", "task", "file"] as const;
export type Kind = (typeof kinds)[number];

/** Something that was found: which of its texts tells most, and how much that is. */
export interface Found {
  readonly kind: Kind;
  readonly place: number;
  /** The number of the text, as its index counts them. */
  readonly text: number;
  readonly marked: Marked;
  /** A whole number of at most seven digits. The same text has the same, whatever was found besides. */
  readonly score: number;
  /** What marking its texts has cost: the index writes a text anew at each finding, so it is findings times bytes. */
  readonly work: number;
}
/** A match of a kind. */
export type KindMatch = Match & { readonly kind: Kind };

/** What was found, as the text that tells most of it: a short one that has the words often. The last of equals. */
export function foundIn(kind: Kind, { place, texts }: MarkedTexts): Found {
  const [first, ...rest] = texts.map((text, number) => {
    const marked = text ?? noText;
    const { findings, units } = measured(marked);
    const [score, work] = [scoreOf(findings, units), findings * marked.length];
    return { kind, place, text: number, marked, score, work };
  });
  return rest.reduce((best, each) => {
    const work = best.work + each.work;
    return { ...(each.score >= best.score ? each : best), work };
  }, first!);
}
const noText: Marked = new Uint8Array();

/** How many findings a text has, and how many UTF-16 units without its marks. */
function measured(marked: Marked): { findings: number; units: number } {
  let findings = 0;
  let units = 0;
  for (let at = 0; at < marked.length; at++) {
    const byte = marked[at]!;
    if (byte === openMark) findings++;
    else if (byte === closeMark) continue;
    // A character's first byte; those of four bytes take two units.
    else if ((byte & 0xc0) !== 0x80) units += byte < 0xf0 ? 1 : 2;
  }
  return { findings, units };
}

// The usual constants of BM25: how soon more findings count for less, and how much a long text counts for less.
const saturation = 1.2;
const lengthWeight = 0.75;
/** The length of a text that counts as neither long nor short, in UTF-16 units. */
const usualLength = 300;

/**
 * BM25 of one text. All that is found has every term, so how rare a term is tells it not apart; it could only be known
 * from texts that the reader may not read. Nor is the length compared with that of others: what comes, goes or changes
 * between two pages moves nothing else.
 */
function scoreOf(findings: number, units: number): number {
  const length = 1 - lengthWeight + (lengthWeight * units) / usualLength;
  return Math.round((1e6 * findings * (saturation + 1)) / (findings + saturation * length));
}

/** The best first, of equals the newest. */
export const byRank = (a: Standing, b: Standing): number => b.score - a.score || b.place - a.place;
type Standing = Pick<Found, "score" | "place">;
