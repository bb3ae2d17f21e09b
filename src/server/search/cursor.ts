import { greatestSeq } from "../../contract/limits.ts";
/** How far the pages of a search have come. All numbers are seqs. */
export interface Cursor {
  /** The newest match of the current block. */
  readonly newest: number;
  /** If a part of the block was shown: its oldest match, and the rank of the last match that was shown. */
  readonly shown: { readonly oldest: number; readonly score: number; readonly seq: number } | null;
}

/** A seq that no board has reached. */
export const pastEverySeq = greatestSeq;

/** Reads a cursor whose form was checked. Without one a search begins with the newest match. */
export function cursorOf(text: string | undefined): Cursor {
  const [newest = pastEverySeq - 1, oldest, score, seq] = text?.split("-").map(Number) ?? [];
  const shown =
    oldest === undefined || score === undefined || seq === undefined
      ? null
      : { oldest, score, seq };
  return { newest, shown };
}

/** Writes a cursor for `next`. */
export const cursorText = ({ newest, shown }: Cursor): string =>
  shown ? [newest, shown.oldest, shown.score, shown.seq].join("-") : String(newest);
