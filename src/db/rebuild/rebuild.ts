import { isDiskFull } from "../../client/files/full-disk.ts";
import type { Actor, EventData, EventType } from "../../contract/log.ts";
import type { PersonRow } from "../accounts.ts";
import type { Db, ReadTx } from "../engine/database.ts";
import { insertRow } from "../insert-row.ts";
import type { EventRow } from "../log/chain.ts";
import { lastPlaceOf, placeOf, seqOf } from "../log/log-place.ts";
import { project } from "../projection/projection.ts";
import {
  insertImportedBoard,
  insertStandIn,
  type ImportedBoardRow,
  type StandInRow,
} from "../stand-ins.ts";

/** How many events are replayed in one transaction. */
const together = 1_000;

/** A board whose log cannot be replayed. */
export interface Unreplayed {
  readonly boardRow: number;
  /** The transaction that failed began after this event. */
  readonly after: number;
  readonly reason: string;
}

/**
 * Replays the logs of boards into an empty database. Its rows get other numbers than those of the original, so that only
 * what they mean can be compared: see `boardRowInCopy`. `onEvents` is called with the number of events that were just replayed.
 */
export async function rebuild(
  original: Db,
  copy: Db,
  boardRows: readonly number[],
  onEvents: (count: number) => void = () => {},
): Promise<Unreplayed[]> {
  const most = Math.max(0, ...boardRows);
  await copyPeople(original, copy, most);
  const failed: Unreplayed[] = [];
  for (const boardRow of boardRows.toSorted((one, other) => other - one)) {
    const problem = await replay(original, copy, boardRow, most, onEvents);
    if (problem) failed.push(problem);
  }
  return failed;
}

/** The row of a board in the copy, of whose boards the one with the greatest row is `most`. */
export const boardRowInCopy = (boardRow: number, most: number): number => most + 1 - boardRow;

/** Copies what the logs build on and do not tell: people, and where boards and their people came from. */
async function copyPeople(original: Db, copy: Db, most: number): Promise<void> {
  const [people, imported, standIns] = original.read((tx) => [
    tx.all<PersonRow>("SELECT * FROM person ORDER BY row DESC"),
    tx.all<ImportedBoardRow>("SELECT * FROM imported_board"),
    tx.all<StandInRow>("SELECT * FROM stand_in ORDER BY row"),
  ]);
  const moved = <T extends { board_row: number }>(each: T): T => ({
    ...each,
    board_row: boardRowInCopy(each.board_row, most),
  });
  await copy.write((tx) => {
    for (const { id, handle, server_role, created_at, removed_at } of people)
      insertRow(tx, "person", { id, handle, server_role, created_at, removed_at });
    const isRebuilt = ({ board_row }: { board_row: number }) => board_row <= most;
    for (const board of imported.filter(isRebuilt)) insertImportedBoard(tx, moved(board));
    for (const { row: _, ...each } of standIns.filter(isRebuilt)) insertStandIn(tx, moved(each));
  });
}

async function replay(
  original: Db,
  copy: Db,
  boardRow: number,
  most: number,
  onEvents: (count: number) => void,
): Promise<Unreplayed | null> {
  for (let after = 0; ;) {
    const events = original.read((tx) => eventsAfter(tx, boardRow, after));
    if (events.length === 0) return null;
    try {
      await copy.write((tx) => {
        for (const event of events)
          project(tx, {
            boardRow: boardRowInCopy(boardRow, most),
            seq: seqOf(event.place),
            type: event.type,
            at: event.at,
            actor: JSON.parse(event.actor) as Actor,
            data: JSON.parse(event.data) as EventData<EventType>,
          });
      });
    } catch (error) {
      // That the copy has no room says nothing about the log.
      if (isDiskFull((error as { code?: string }).code)) throw error;
      return { boardRow, after, reason: (error as Error).message };
    }
    onEvents(events.length);
    after = seqOf(events.at(-1)!.place);
  }
}

const eventsAfter = (tx: ReadTx, boardRow: number, after: number) =>
  tx.all<EventRow>(
    "SELECT * FROM event WHERE place > ? AND place <= ? ORDER BY place LIMIT ?",
    placeOf(boardRow, after),
    lastPlaceOf(boardRow),
    together,
  );
