import { refuse, type Refusal } from "../../contract/refusal.ts";
import type { InputOf } from "../../contract/index.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { fileNamed, fileVersion, type FileRow } from "../../db/files.ts";
import { memberRefAt } from "../member-ref.ts";
import { briefOf, isBriefName } from "./brief.ts";

type Query = InputOf<"putFile">["query"];

interface Replacing {
  /** The file that gets another version; null if the write makes a new file. */
  readonly file: FileRow | null;
  /** The brief in the other format, which the new file replaces. */
  readonly removes: FileRow | null;
}

/** Finds what a write replaces. Refuses a write that does not name the current version. */
export function replacedBy(tx: ReadTx, board: BoardRow, query: Query): Replacing {
  const { name, brief = false, replace_format: switches = false } = query;
  if (brief && !isBriefName(name)) throw unfit("a brief is named `brief.md` or `brief.html`");
  if (switches && !brief) throw unfit("`replace_format` is for the brief only");
  if (brief) return replacedByBrief(tx, board, query);
  if (isBriefName(name)) throw refuse("brief_path_reserved", { board: board.name, file: name });

  const { base = 0, file_id: id } = query;
  const file = fileNamed(tx, board.row, name);
  if (file && base === 0) throw existing(tx, board, file);
  if ((file?.latest ?? 0) !== base || (id !== undefined && file?.id !== id))
    throw changed(tx, board, name, file);
  return { file, removes: null };
}

/** A brief must be named by its id as well, because a version number alone may belong to the brief in the other format. */
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
