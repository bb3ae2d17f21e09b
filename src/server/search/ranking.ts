import { marks, type MarkedTexts, type Match } from "../../db/search.ts";

/** The kinds of what is found, in no order. */
export const kinds = ["message", "task", "file"] as const;
export type Kind = (typeof kinds)[number];

/** A piece of a text, and whether it is what was searched for. */
export interface Part {
  readonly text: string;
  readonly match: boolean;
}
/** Something that was found: which of its texts tells most, and how much that is. */
export interface Found {
  readonly kind: Kind;
  readonly place: number;
  /** The number of the text, as its index counts them. */
  readonly text: number;
  /** The text, cut where what was searched for begins and ends. */
  readonly parts: readonly Part[];
  /** A whole number of at most seven digits. The same text has the same, whatever was found besides. */
  readonly score: number;
}
/** A match of a kind, and whether that kind was found along its index. */
export type KindMatch = Match & { readonly kind: Kind; readonly alongIndex: boolean };

/** What was found, as the text that tells most of it: a short one that has the words often. The last of equals. */
export function foundIn(kind: Kind, { place, texts }: MarkedTexts): Found {
  const [first, ...rest] = texts.map((marked, text): Found => {
    const parts = partsOf(marked ?? "");
    return { kind, place, text, parts, score: scoreOf(parts) };
  });
  return rest.reduce((best, each) => (each.score >= best.score ? each : best), first!);
}

/** Cuts a marked text at its marks. */
function partsOf(marked: string): Part[] {
  const [first = "", ...rest] = marked.split(marks[0]);
  const parts = rest.flatMap((piece): Part[] => {
    const [match = "", after = ""] = piece.split(marks[1]);
    return [
      { text: match, match: true },
      { text: after, match: false },
    ];
  });
  return [{ text: first, match: false }, ...parts].filter(({ text }) => text !== "");
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
function scoreOf(parts: readonly Part[]): number {
  const findings = parts.filter(({ match }) => match).length;
  const units = parts.reduce((sum, { text }) => sum + text.length, 0);
  const length = 1 - lengthWeight + (lengthWeight * units) / usualLength;
  return Math.round((1e6 * findings * (saturation + 1)) / (findings + saturation * length));
}

/** The best first, of equals the newest. */
export const byRank = (a: Standing, b: Standing): number => b.score - a.score || b.place - a.place;
type Standing = Pick<Found, "score" | "place">;
