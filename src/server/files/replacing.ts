import { refuse, type Refusal } from "../../contract/refusal.ts";
import type { Input } from "../../contract/operation.ts";
import type { Operations } from "../../contract/index.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { fileNamed, fileVersion, type FileRow } from "../../db/files.ts";
import { memberRefAt } from "../boards/member-ref.ts";
import { briefOf, isBriefName } from "./brief.ts";

type Query = Input<Operations["putFile"]>["query"];

/** What a write does to the files that there are. */
export interface Replacing {
  /** The file that gets a version; null for a new one. */
  readonly file: FileRow | null;
  /** The brief of the other format, whose place the new file takes. */
  readonly removes: FileRow | null;
}

/** Finds what a write replaces. Refuses one that does not name what is there now. */
export function replacedBy(tx: ReadTx, board: BoardRow, query: Query): Replacing {
  const { name, brief = false, replace_format: switches = false } = query;
  if (brief && !isBriefName(name)) throw unfit("a brief is named `brief.md` or `brief.html`");
  if (switches && !brief) throw unfit("`replace_format` is for the brief alone");
  if (brief) return replacedByBrief(tx, board, query);
  if (isBriefName(name)) throw refuse("brief_path_reserved", { board: board.name, file: name });

  const { base = 0, file_id: id } = query;
  const file = fileNamed(tx, board.row, name);
  if (file && base === 0) throw existing(tx, board, file);
  if ((file?.latest ?? 0) !== base || (id !== undefined && file?.id !== id))
    throw changed(tx, board, name, file);
  return { file, removes: null };
}

/** A brief is told by its id as well: a number alone may be that of another file. */
function replacedByBrief(tx: ReadTx, board: BoardRow, query: Query): Replacing {
  const { name, base = 0, file_id: id, replace_format: switches = false } = query;
  const active = briefOf(tx, board);
  if (active && active.name !== name && !switches)
    throw refuse("brief_exists", { board: board.name, file: active.name });
  if (base !== (active?.latest ?? 0) || id !== active?.id) throw changed(tx, board, name, active);
  return active && active.name !== name
    ? { file: null, removes: active }
    : { file: active, removes: null };
}

const unfit = (problem: string): Refusal => refuse("invalid_combination", { problem });

/** The version that is there, for whoever did not know of it. */
function newestOf(tx: ReadTx, file: FileRow) {
  const { version, writer_row, written_at } = fileVersion(tx, file.row, file.latest)!;
  return { version, by: memberRefAt(tx, writer_row), at: written_at };
}

function existing(tx: ReadTx, board: BoardRow, file: FileRow): Refusal {
  const { name, latest: version } = file;
  return refuse("file_exists", { board: board.name, file: name, version }, newestOf(tx, file));
}

function changed(tx: ReadTx, board: BoardRow, name: string, file: FileRow | null): Refusal {
  if (!file)
    return refuse("file_changed", { board: board.name, file: name, current: "it is gone" });
  const newest = newestOf(tx, file);
  const current = `version ${newest.version} of ${file.name} by ${newest.by.name} is there now`;
  return refuse("file_changed", { board: board.name, file: name, current }, newest);
}
