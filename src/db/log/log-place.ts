const span = 2 ** 32;

/** The place of a seq in a board's log: one integer that orders by board, then by seq. */
export const placeOf = (boardRow: number, seq: number): number => boardRow * span + seq;

export const seqOf = (place: number): number => place % span;

export const boardRowOf = (place: number): number => Math.floor(place / span);

/** The last place a board can have; a board's places are those after `placeOf(board, 0)` and up to this. */
export const lastPlaceOf = (boardRow: number): number => placeOf(boardRow, span - 1);
