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

/** Finds a file of a board by name or id. A removed file is found by id only. A file name never has the form of an id. */
export function fileCalled(tx: ReadTx, board: BoardRow, asked: string): FileRow {
  const withId = asked.startsWith("fil_") ? fileWithId(tx, asked) : null;
  const file = withId?.board_row === board.row ? withId : fileNamed(tx, board.row, asked);
  if (!file) throw refuse("file_not_found", { board: board.name, file: asked });
  return file;
}

/** Finds a file that is to be changed. Refuses a removed one. */
export function listedFile(tx: ReadTx, board: BoardRow, asked: string): FileRow {
  const file = fileCalled(tx, board, asked);
  if (file.removed) throw refuse("file_not_found", { board: board.name, file: asked });
  return file;
}

/** Finds a version of a file. Refuses a number that it does not have. */
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
