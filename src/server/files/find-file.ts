import { refuse } from "../../contract/refusal.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import {
  fileNamed,
  fileVersion,
  fileWithId,
  type FileRow,
  type FileVersionRow,
} from "../../db/files.ts";

/** The file of a board that a name or an id selects. A removed one answers to its id. What is an id is no name. */
export function fileCalled(tx: ReadTx, board: BoardRow, asked: string): FileRow {
  const withId = asked.startsWith("fil_") ? fileWithId(tx, asked) : null;
  const file = withId?.board_row === board.row ? withId : fileNamed(tx, board.row, asked);
  if (!file) throw refuse("file_not_found", { board: board.name, file: asked });
  return file;
}

/** The same of a file that is to be changed: a removed one stays as it was. */
export function listedFile(tx: ReadTx, board: BoardRow, asked: string): FileRow {
  const file = fileCalled(tx, board, asked);
  if (file.removed) throw refuse("file_not_found", { board: board.name, file: asked });
  return file;
}

/** A version of a file. */
export function versionCalled(
  tx: ReadTx,
  board: BoardRow,
  file: FileRow,
  version: number,
): FileVersionRow {
  const found = version > file.latest ? null : fileVersion(tx, file.row, version);
  if (found) return found;
  const { name, latest } = file;
  throw refuse("version_not_found", { board: board.name, file: name, version, latest });
}
