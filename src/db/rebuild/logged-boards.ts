import type { ReadTx } from "../engine/database.ts";
import { boardRowOf, placeOf, seqOf } from "../log/log-place.ts";

/** A board that has a row or a log. */
export interface LoggedBoard {
  readonly row: number;
  readonly id: string;
  /** Its name, or its id once it has none. */
  readonly name: string;
  /** Seq of its last event, as its place says. */
  readonly seq: number;
}

/** Every board that has a row or a log, in the order of their rows. */
export function loggedBoards(tx: ReadTx): LoggedBoard[] {
  const stored = new Map(
    tx
      .all<{ row: number; id: string; name: string | null }>("SELECT row, id, name FROM board")
      .map((board) => [board.row, board]),
  );
  const seqs = new Map([...stored.keys()].map((row) => [row, 0]));
  for (let before: number | null = null; ;) {
    const { place }: { place: number | null } = tx.get(
      "SELECT max(place) AS place FROM event WHERE place < coalesce(?, 9e15)",
      before,
    )!;
    if (place === null) break;
    const row = boardRowOf(place);
    seqs.set(row, seqOf(place));
    before = placeOf(row, 0);
  }
  return [...seqs]
    .sort(([one], [other]) => one - other)
    .map(([row, seq]) => {
      const { id = `in row ${row}`, name = null } = stored.get(row) ?? {};
      return { row, seq, id, name: name ?? id };
    });
}
