import { rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../client/files/private-file.ts";
import { openDatabase, type Db } from "../../db/engine/database.ts";
import { differences } from "../../db/rebuild/differences.ts";
import { loggedBoards, type LoggedBoard } from "../../db/rebuild/logged-boards.ts";
import { rebuild } from "../../db/rebuild/rebuild.ts";
import { followChain } from "../../db/stored-copy.ts";

/** What a check of the logs of a database found. */
export interface LogFindings {
  readonly boards: number;
  readonly events: number;
  /** What is damaged: a sentence each. */
  readonly damage: readonly string[];
  /** The tables in which a board is not what its record makes of it. */
  readonly differences: readonly { readonly board: string; readonly table: string }[];
}

/**
 * Follows the chain of every board, rebuilds those whose chains hold beside the database, in `folder`, and compares them.
 * `onPart` is called with each further part of the work, all of which add up to 2.
 */
export async function checkLogs(
  db: Db,
  folder: string,
  onPart: (part: number) => void,
): Promise<LogFindings> {
  const boards = db.read(loggedBoards);
  const events = boards.reduce((sum, { seq }) => sum + seq, 0);
  const damage: string[] = [];
  const sound: LoggedBoard[] = [];
  for (const board of boards) {
    const { seq, isWhole } = db.read((tx) => followChain(tx, board.row, board.id));
    if (isWhole && seq > 0) sound.push(board);
    else
      damage.push(
        seq === 0
          ? `The record of the board ${board.name} is not there.`
          : `The record of the board ${board.name} does not verify at event ${seq}.`,
      );
    onPart(board.seq / events);
    // Lets the progress be drawn.
    await Bun.sleep(0);
  }
  const rebuilt = await compareRebuilt(db, folder, { boards, sound }, (count) =>
    onPart(count / events),
  );
  return {
    boards: boards.length,
    events,
    damage: [...damage, ...rebuilt.damage],
    differences: rebuilt.differences,
  };
}

async function compareRebuilt(
  db: Db,
  folder: string,
  {
    boards,
    sound,
  }: { readonly boards: readonly LoggedBoard[]; readonly sound: readonly LoggedBoard[] },
  onEvents: (count: number) => void,
): Promise<Pick<LogFindings, "damage" | "differences">> {
  rmSync(folder, { recursive: true, force: true });
  makePrivateFolder(folder);
  let copy: Db | undefined;
  const rows = (some: readonly LoggedBoard[]) => some.map(({ row }) => row);
  const nameAt = (boardRow: number) => boards.find(({ row }) => row === boardRow)?.name ?? "(none)";
  try {
    copy = openDatabase(join(folder, "service.db"), { synchronous: "NORMAL" });
    const failed = await rebuild(db, copy, rows(sound), onEvents);
    const leftOut = [
      ...rows(boards.filter((board) => !sound.includes(board))),
      ...failed.map(({ boardRow }) => boardRow),
    ];
    return {
      damage: failed.map(
        ({ boardRow, after, reason }) =>
          `The board ${nameAt(boardRow)} cannot be rebuilt from its record after event ${after}: ${reason}.`,
      ),
      differences: differences(db, copy, rows(sound), leftOut).map(({ boardRow, table }) => ({
        board: nameAt(boardRow),
        table,
      })),
    };
  } finally {
    try {
      copy?.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
