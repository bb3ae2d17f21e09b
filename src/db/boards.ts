import type { ReadTx, Tx } from "./engine/database.ts";
import type { LastEvent } from "./engine/head-cache.ts";
import { genesisHash, type LogHead } from "./log/chain.ts";
import { lastPlaceOf, placeOf, seqOf } from "./log/log-place.ts";
import { insertRow } from "./insert-row.ts";

/** A board with its head. The charter may be long and is read separately. */
export interface BoardRow extends LogHead {
  name: string;
  title: string | null;
  visibility: "open" | "private";
  lifecycle: "active" | "archived" | "deleted";
  template: string | null;
  /** JSON. */
  policy: string;
  agents_add_people: 0 | 1;
  task_prefix: string | null;
  created_at: string;
}
interface RoleRow {
  name: string;
  /** JSON: the permissions. */
  can: string;
  charter: string | null;
}

const ownColumns =
  "b.row, b.id, b.name, b.title, b.visibility, b.lifecycle, b.template, b.policy, b.agents_add_people, b.task_prefix, b.created_at";
const boardColumns = `${ownColumns}, h.place - b.row * 4294967296 AS head_seq, h.hash AS head_hash`;
/** The tables of a board with its head, which is the last event of its log. */
const boards =
  "board b JOIN event h ON h.place = (SELECT place FROM event WHERE place > b.row * 4294967296 AND place <= b.row * 4294967296 + 4294967295 ORDER BY place DESC LIMIT 1)";
const select = `SELECT ${boardColumns} FROM ${boards}`;

type BoardWithoutHead = Omit<BoardRow, keyof LogHead> & Pick<BoardRow, "row" | "id">;

/** One board: its row, which seldom changes, and its head come from caches. Deleted boards are not found. */
function oneBoard(tx: ReadTx, by: "name" | "id" | "row", value: string | number): BoardRow | null {
  const board = tx.rowCache.get(kinds[by], value, () => tx.get<BoardWithoutHead>(texts[by], value));
  if (!board) return null;
  const head = tx.heads.get(board.row, () =>
    tx.get<LastEvent>(
      "SELECT place, hash FROM event WHERE place > ? AND place <= ? ORDER BY place DESC LIMIT 1",
      placeOf(board.row, 0),
      lastPlaceOf(board.row),
    ),
  );
  // If the events of a log are lost, its head is 0.
  if (!head) return { ...board, head_seq: 0, head_hash: genesisHash };
  return { ...board, head_seq: seqOf(head.place), head_hash: head.hash };
}
const textBy = (column: string) =>
  `SELECT ${ownColumns} FROM board b WHERE b.${column} = ? AND b.lifecycle <> 'deleted'`;
const texts = { name: textBy("name"), id: textBy("id"), row: textBy("row") };
const kinds = { name: "board named", id: "board with id", row: "board at" };

export const boardNamed = (tx: ReadTx, name: string) => oneBoard(tx, "name", name);
export const boardWithId = (tx: ReadTx, id: string) => oneBoard(tx, "id", id);
export const boardAt = (tx: ReadTx, row: number) => oneBoard(tx, "row", row);
export const boardNameTaken = (tx: ReadTx, name: string) =>
  tx.get("SELECT 1 FROM board WHERE name = ?", name) !== null;

/** Boards a person is on, in the order in which they were made. */
export const boardsOfPerson = (tx: ReadTx, personRow: number) =>
  tx.all<BoardRow>(
    `SELECT ${boardColumns} FROM member m JOIN ${boards} WHERE b.row = m.board_row AND m.person_row = ? AND m.kind = 'human' AND m.status = 'active' AND b.lifecycle <> 'deleted' ORDER BY b.row`,
    personRow,
  );
/** The boards in these rows, in the order in which they were made. */
export const boardsAt = (tx: ReadTx, rows: readonly number[]) =>
  tx.all<BoardRow>(
    `SELECT ${boardColumns} FROM json_each(?) p CROSS JOIN ${boards} WHERE b.row = p.value ORDER BY b.row`,
    JSON.stringify(rows),
  );
/** A board's name, whatever its lifecycle. */
export const nameOfBoard = (tx: ReadTx, row: number) =>
  tx.get<{ name: string }>("SELECT name FROM board WHERE row = ?", row)!.name;
/** A board's id, whatever its lifecycle. */
export const idOfBoard = (tx: ReadTx, row: number) =>
  tx.get<{ id: string }>("SELECT id FROM board WHERE row = ?", row)!.id;
/** A board whatever its lifecycle, for the answer to its own deletion. */
export const retainedBoardWithId = (tx: ReadTx, id: string) =>
  tx.get<BoardRow>(`${select} WHERE b.id = ?`, id);
/** Private boards that a person is not on. */
export const privateBoardsBeside = (tx: ReadTx, personRow: number) =>
  tx.all<BoardRow>(
    `${select} WHERE b.visibility = 'private' AND b.lifecycle <> 'deleted' AND NOT EXISTS (SELECT 1 FROM member m WHERE m.board_row = b.row AND m.human_row = ? AND m.status = 'active') ORDER BY b.row`,
    personRow,
  );
/** Open boards a person is not on. */
export const openBoardsBeside = (tx: ReadTx, personRow: number) =>
  tx.all<BoardRow>(
    `SELECT ${boardColumns} FROM ${boards} WHERE b.visibility = 'open' AND b.lifecycle <> 'deleted' AND NOT EXISTS (SELECT 1 FROM member m WHERE m.board_row = b.row AND m.human_row = ? AND m.status = 'active') ORDER BY b.row`,
    personRow,
  );

export const charterOf = (tx: ReadTx, boardRow: number) =>
  tx.get<{ charter: string }>("SELECT charter FROM board WHERE row = ?", boardRow)?.charter ?? "";
export const rolesOf = (tx: ReadTx, boardRow: number) =>
  tx.all<RoleRow>(
    "SELECT name, can, charter FROM board_role WHERE board_row = ? ORDER BY name",
    boardRow,
  );
export const roleNamed = (tx: ReadTx, boardRow: number, name: string) =>
  tx.rowCache.get("role", `${boardRow} ${name}`, () =>
    tx.get<RoleRow>(
      "SELECT name, can, charter FROM board_role WHERE board_row = ? AND name = ?",
      boardRow,
      name,
    ),
  );

/** The head of the log of a board that is about to be made. */
export function newLog(tx: ReadTx, id: string): LogHead {
  const last = tx.get<{ row: number }>("SELECT row FROM board ORDER BY row DESC LIMIT 1");
  return { row: (last?.row ?? 0) + 1, id, head_seq: 0, head_hash: genesisHash };
}

export const insertBoard = (
  tx: Tx,
  board: Omit<BoardRow, "head_seq" | "head_hash" | "task_prefix" | "lifecycle"> & {
    charter: string;
  },
) => insertRow(tx, "board", board);
export const insertRole = (tx: Tx, boardRow: number, role: RoleRow) =>
  insertRow(tx, "board_role", { board_row: boardRow, ...role });

export const setTitle = (tx: Tx, boardRow: number, title: string | null) =>
  tx.run("UPDATE board SET title = ? WHERE row = ?", title, boardRow);
export const setPolicy = (tx: Tx, boardRow: number, policy: string) =>
  tx.run("UPDATE board SET policy = ? WHERE row = ?", policy, boardRow);
export const setVisibilityOf = (tx: Tx, boardRow: number, visibility: BoardRow["visibility"]) =>
  tx.run("UPDATE board SET visibility = ? WHERE row = ?", visibility, boardRow);
export const setLifecycle = (tx: Tx, boardRow: number, lifecycle: BoardRow["lifecycle"]) =>
  tx.run("UPDATE board SET lifecycle = ? WHERE row = ?", lifecycle, boardRow);
export const setAgentsAddPeople = (tx: Tx, boardRow: number, allowed: boolean) =>
  tx.run("UPDATE board SET agents_add_people = ? WHERE row = ?", allowed ? 1 : 0, boardRow);

/** The board that has a task prefix or ever had it. */
export const holderOfPrefix = (tx: ReadTx, prefix: string) =>
  tx.get<{ board_row: number }>("SELECT board_row FROM task_prefix WHERE prefix = ?", prefix)
    ?.board_row ?? null;
/** Gives a board a task prefix, and reserves it for that board for good. */
export function setTaskPrefix(tx: Tx, boardRow: number, prefix: string): void {
  tx.run(
    "INSERT INTO task_prefix (prefix, board_row) VALUES (?, ?) ON CONFLICT DO NOTHING",
    prefix,
    boardRow,
  );
  tx.run("UPDATE board SET task_prefix = ? WHERE row = ?", prefix, boardRow);
}
/** The head of every board's log, also of deleted boards, in the order in which they were made. */
export const allHeads = (tx: ReadTx) =>
  tx.all<{ id: string; seq: number; head: string }>(
    `SELECT b.id, h.place - b.row * 4294967296 AS seq, h.hash AS head FROM ${boards} ORDER BY b.row`,
  );
