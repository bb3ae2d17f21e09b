import { measured, type Marked } from "../../db/search/excerpt-marks.ts";
import type { MarkedTexts, Match } from "../../db/search/search.ts";

/** The kinds of results, in no order. */
export const kinds = ["message", "task", "file"] as const;
export type Kind = (typeof kinds)[number];

/** A result: its best text, and the rank of that text. */
export interface Found {
  readonly kind: Kind;
  readonly place: number;
  /** The number of the text, as its index counts them. */
  readonly text: number;
  readonly marked: Marked;
  /** A whole number of at most seven digits. It depends on the text and the query alone, not on other results. */
  readonly score: number;
  /** The cost of marking its texts: findings times bytes, because the index copies a text at each finding. */
  readonly work: number;
}
/** A match of a kind. */
export type KindMatch = Match & { readonly kind: Kind };

/** The result of several matching texts of one thing: its best text is short and has the words often. Of equals the last one. */
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

// The usual constants of BM25: how fast further findings lose weight, and how much weight a long text loses.
const saturation = 1.2;
const lengthWeight = 0.75;
/** The length of a text that counts as neither long nor short, in UTF-16 units. */
const usualLength = 300;

/**
 * BM25 of one text, without the rarity of terms: every result has all terms, and rarity would count texts that the reader
 * may not read. The length is compared with a constant and not with an average, so that a change between two pages does
 * not move other results.
 */
function scoreOf(findings: number, units: number): number {
  const length = 1 - lengthWeight + (lengthWeight * units) / usualLength;
  return Math.round((1e6 * findings * (saturation + 1)) / (findings + saturation * length));
}

/** Orders results: the best first, and of equals the newest. */
export const byRank = (a: Standing, b: Standing): number => b.score - a.score || b.place - a.place;
type Standing = Pick<Found, "score" | "place">;
