import { greatestSeq } from "../../contract/limits.ts";
/** How far a search was shown. Seqs. */
export interface Cursor {
  /** The newest of those that are ranked together. */
  readonly newest: number;
  /** Where some of these were shown: the oldest of them, and how the last that was shown is ranked. */
  readonly shown: { readonly oldest: number; readonly score: number; readonly seq: number } | null;
}

/** A seq that no board has reached. */
export const pastEverySeq = greatestSeq;

/** Reads a cursor, whose form was checked; without one a search begins with the newest. */
export function cursorOf(text: string | undefined): Cursor {
  const [newest = pastEverySeq - 1, oldest, score, seq] = text?.split("-").map(Number) ?? [];
  const shown =
    oldest === undefined || score === undefined || seq === undefined
      ? null
      : { oldest, score, seq };
  return { newest, shown };
}

/** Writes it as `next` has it. */
export const cursorText = ({ newest, shown }: Cursor): string =>
  shown ? [newest, shown.oldest, shown.score, shown.seq].join("-") : String(newest);
