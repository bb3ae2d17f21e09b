import type { ReadTx } from "./engine/database.ts";
import { namedIn } from "./message-pages.ts";
import { forReaders, type Reader } from "./readers.ts";
import { cheapestWalk } from "./engine/cheapest-walk.ts";
import type { TaskName } from "./tasks.ts";

export interface FileRow {
  row: number;
  id: string;
  board_row: number;
  name: string;
  maintained: number;
  /** The newest version. */
  latest: number;
  /** The place of the event that recorded it. */
  latest_place: number;
  /** 1 once it is off the list. Another file may have its name then. */
  removed: number;
  /** Place of the event that last changed its name or content. Null once it is off the list. */
  text_place: number | null;
  /** Of the newest version. */
  writer_row: number;
}

export interface FileVersionRow {
  file_row: number;
  version: number;
  place: number;
  /** Of the bytes, in lowercase hex. */
  sha256: string;
  size: number;
  media_type: string;
  writer_row: number;
  written_at: string;
  base: number;
}

export interface FileApprovalRow {
  file_row: number;
  member_row: number;
  version: number;
  place: number;
  approved_at: string;
  /** Of the approved version. */
  sha256: string;
}

export const fileAt = (tx: ReadTx, row: number) =>
  tx.get<FileRow>("SELECT * FROM file WHERE row = ?", row);
export const fileWithId = (tx: ReadTx, id: string) =>
  tx.get<FileRow>("SELECT * FROM file WHERE id = ?", id);
export const fileWithTextAt = (tx: ReadTx, place: number) =>
  tx.get<FileRow>("SELECT * FROM file WHERE text_place = ?", place);
/** The file on a board's list that has a name. */
export const fileNamed = (tx: ReadTx, boardRow: number, name: string) =>
  tx.get<FileRow>(
    "SELECT * FROM file WHERE board_row = ? AND name = ? AND removed = 0",
    boardRow,
    name,
  );

interface FileFilter {
  /** Row of the task that they are about. */
  readonly task: number | null;
  /** Row of the member who wrote a version of them. */
  readonly writer: number | null;
  /** Whether they are maintained. Null for both. */
  readonly maintained: boolean | null;
  /** The place of the log before which their newest version was written. */
  readonly before: number | null;
  readonly limit: number;
}

// ?1 is the board, ?2 the task, ?3 the writer, ?4 how many files are asked for, ?5 how many are looked at, ?6 whether they are
// maintained, ?7 the place before which they were written.
const inOrder = "ORDER BY maintained DESC, latest_place DESC LIMIT";
const asked = "(?6 IS NULL OR maintained = ?6) AND (?7 IS NULL OR latest_place < ?7)";
const listed = `SELECT * FROM file WHERE board_row = ?1 AND removed = 0 AND ${asked} ${inOrder} ?5`;
/** A filter: the tables that list the files it selects, and its condition on a file. */
const filters = {
  task: "file_task c WHERE c.task_row = ?2",
  writer: "file_version c WHERE c.writer_row = ?3",
};
type Filter = keyof typeof filters;
const fits = (filter: Filter) => `EXISTS (SELECT 1 FROM ${filters[filter]} AND c.file_row = f.row)`;
const chosenBy = (filter: Filter) => `SELECT DISTINCT c.file_row FROM ${filters[filter]} LIMIT ?5`;
const alongList = (all: readonly Filter[]) =>
  `SELECT * FROM (${listed}) f WHERE ${all.map(fits).join(" AND ")} ${inOrder} ?4`;
const alongChosen = (filter: Filter, all: readonly Filter[]) =>
  `SELECT f.* FROM (${chosenBy(filter)}) n CROSS JOIN file f ON f.row = n.file_row ` +
  `WHERE ${["f.board_row = ?1 AND f.removed = 0", asked, ...all.filter((one) => one !== filter).map(fits)].join(" AND ")} ${inOrder} ?4`;
const countOf = (rows: string) => `SELECT count(*) AS count FROM (${rows})`;

/** The files on a board's list in their order: maintained ones first, each part with the newest version first. */
export function filesOf(
  tx: ReadTx,
  boardRow: number,
  { task, writer, maintained, before, limit }: FileFilter,
): FileRow[] {
  const valuesOf = (text: string, most: number) =>
    namedIn(text, [
      boardRow,
      task,
      writer,
      limit,
      most,
      maintained === null ? null : Number(maintained),
      before,
    ]);
  const all = (text: string, most: number) => tx.all<FileRow>(text, ...valuesOf(text, most));
  const isEnd = (rows: string, most: number) => {
    const text = countOf(rows);
    return tx.get<{ count: number }>(text, ...valuesOf(text, most))!.count < most;
  };
  const given = [
    ...(task === null ? [] : ["task" as const]),
    ...(writer === null ? [] : ["writer" as const]),
  ];
  if (given.length === 0) return all(listed, limit);
  return cheapestWalk(limit, [
    (most) => {
      const found = all(alongList(given), most);
      return found.length === limit || isEnd(listed, most) ? found : null;
    },
    // These come in no order, so all of them must be read.
    ...given.map(
      (filter) => (most: number) =>
        isEnd(chosenBy(filter), most) ? all(alongChosen(filter, given), most) : null,
    ),
  ]);
}

/** How many files are on a board's list. */
export const fileCount = (tx: ReadTx, boardRow: number): number =>
  tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM file WHERE board_row = ? AND removed = 0",
    boardRow,
  )!.count;

export const fileVersion = (tx: ReadTx, fileRow: number, version: number) =>
  tx.get<FileVersionRow>(
    "SELECT * FROM file_version WHERE file_row = ? AND version = ?",
    fileRow,
    version,
  );
/** A file's versions, the newest first. */
export const versionsOf = (tx: ReadTx, fileRow: number) =>
  tx.all<FileVersionRow>(
    "SELECT * FROM file_version WHERE file_row = ? ORDER BY version DESC",
    fileRow,
  );

/** The tasks that a file is about, in their order. */
export const tasksOfFile = (tx: ReadTx, fileRow: number) =>
  tx.all<TaskName>(
    "SELECT t.row, t.id, t.ref, t.title FROM file_task f JOIN task t ON t.row = f.task_row WHERE f.file_row = ? ORDER BY f.ordinal",
    fileRow,
  );

/** The approvals of a file, newest first. */
export const approvalsOf = (tx: ReadTx, fileRow: number) =>
  tx.all<FileApprovalRow>(
    "SELECT a.*, v.sha256 FROM file_approval a JOIN file_version v ON v.file_row = a.file_row AND v.version = a.version WHERE a.file_row = ? ORDER BY a.place DESC",
    fileRow,
  );
export const approvalBy = (tx: ReadTx, fileRow: number, memberRow: number) =>
  tx.get<{ version: number }>(
    "SELECT version FROM file_approval WHERE file_row = ? AND member_row = ?",
    fileRow,
    memberRow,
  );

const postingsText = forReaders(
  ({ andReadable }) =>
    `SELECT m.place, m.id, m.root, p.version FROM file_posted p JOIN message m ON m.place = p.place WHERE p.file_row = ?3${andReadable} ORDER BY p.place, p.version`,
);

/** The messages that attach versions of a file and that a reader may read, oldest first. */
export const postingsOf = (tx: ReadTx, fileRow: number, reader: Reader) =>
  tx.all<{ place: number; id: string; root: number | null; version: number }>(
    postingsText(reader),
    reader.memberRow,
    reader.role,
    fileRow,
  );

/** Whether any version of any file has these bytes, including removed files and files of deleted boards. */
export const isCited = (tx: ReadTx, sha256: string): boolean =>
  tx.get("SELECT 1 FROM file_version WHERE sha256 = ? LIMIT 1", sha256) !== null;

/** How many versions of files there are. */
export const countVersions = (tx: ReadTx): number =>
  tx.get<{ versions: number }>("SELECT count(*) AS versions FROM file_version")!.versions;
