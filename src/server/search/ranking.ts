import type { MarkedText } from "../../db/search.ts";

/** A piece of a text, and whether it is what was searched for. */
export interface Part {
  readonly text: string;
  readonly match: boolean;
}
/** A text that was found, cut where what was searched for begins and ends. */
export interface Found {
  readonly place: number;
  readonly parts: readonly Part[];
}

const random = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
/** What findings are marked by on their way from the index. Nobody who writes a text knows them. */
export const marks = [`\u0002${random}`, `\u0003${random}`] as const;

/** Cuts a marked text at its marks. */
export function foundIn({ place, marked }: MarkedText): Found {
  const [first = "", ...rest] = marked.split(marks[0]);
  const parts = rest.flatMap((piece): Part[] => {
    const [match = "", after = ""] = piece.split(marks[1]);
    return [
      { text: match, match: true },
      { text: after, match: false },
    ];
  });
  return {
    place,
    parts: [{ text: first, match: false }, ...parts].filter(({ text }) => text !== ""),
  };
}

// The usual constants of BM25: how soon more findings count for less, and how much a long text counts for less.
const saturation = 1.2;
const lengthWeight = 0.75;

/**
 * Texts in the order of BM25, then the newest first, as they are given. All of them have every term, so how rare a term is
 * tells them not apart; it could only be known from texts that the reader may not read.
 */
export function ranked(texts: readonly Found[]): Found[] {
  const lengths = texts.map(({ parts }) => parts.reduce((sum, { text }) => sum + text.length, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  return texts
    .map((text, index) => {
      const findings = text.parts.filter(({ match }) => match).length;
      const length = 1 - lengthWeight + (lengthWeight * lengths[index]!) / average;
      return { text, score: (findings * (saturation + 1)) / (findings + saturation * length) };
    })
    .sort((a, b) => b.score - a.score || b.text.place - a.text.place)
    .map(({ text }) => text);
}
