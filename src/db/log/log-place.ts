const span = 2 ** 32;

/** The place of a seq in a board's log: one integer that orders by board, then by seq. */
export const placeOf = (boardRow: number, seq: number): number => boardRow * span + seq;

export const seqOf = (place: number): number => place % span;

export const boardRowOf = (place: number): number => Math.floor(place / span);

/** The last place that a board can have. A board's places are those after `placeOf(board, 0)`, up to and with this one. */
export const lastPlaceOf = (boardRow: number): number => placeOf(boardRow, span - 1);

/** A part of a board's log, and how much of it is read from which end. Seqs are exclusive bounds. */
export interface LogWindow {
  readonly after: number;
  /** Null for no bound. */
  readonly before: number | null;
  /** Whether the newest places are read, newest first; else the oldest, oldest first. */
  readonly newest: boolean;
  readonly limit: number;
}
