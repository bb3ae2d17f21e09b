import type { EventData, EventType } from "../../contract/log.ts";
import { signalAskedAbout } from "../attention.ts";
import type { ReadTx, Tx } from "../engine/database.ts";
import {
  deleteApproval,
  insertFile,
  insertPosting,
  insertVersion,
  rewriteFile,
  setApproval,
  setFileName,
  setFileTasks,
  setMaintained,
  setRemoved,
} from "../file-writing.ts";
import { fileWithId } from "../files.ts";
import { placeOf } from "../log/log-place.ts";
import type { Projected, Projection } from "./event-projection.ts";
import { memberRow, taskRow } from "./rows-by-id.ts";

type FileEvent = Extract<EventType, `file.${string}`>;

/** What the events of files do to the read models. */
export const fileProjections: { [T in FileEvent]: Projection<T> } = {
  "file.version_added"(tx, { boardRow, seq, at, actor, data }) {
    const row =
      fileWithId(tx, data.file_id)?.row ??
      insertFile(tx, { id: data.file_id, board_row: boardRow, name: data.name });
    const place = placeOf(boardRow, seq);
    const version = {
      file_row: row,
      version: data.version,
      place,
      sha256: data.digest.slice("sha256:".length),
      size: data.size,
      media_type: data.media_type,
      writer_row: memberRow(tx, actor.member_id),
      written_at: at,
      base: data.base_version,
    };
    rewriteFile(tx, row, place, () => insertVersion(tx, version));
    setMaintained(tx, row, data.maintained);
    setFileTasks(tx, row, taskRows(tx, data.about));
    signalAskedAbout(tx, row);
  },
  "file.updated"(tx, { data }) {
    const row = fileRow(tx, data);
    if (data.maintained !== undefined) setMaintained(tx, row, data.maintained);
    if (data.about !== undefined) setFileTasks(tx, row, taskRows(tx, data.about));
  },
  "file.renamed"(tx, { boardRow, seq, data }) {
    const row = fileRow(tx, data);
    rewriteFile(tx, row, placeOf(boardRow, seq), () => setFileName(tx, row, data.after));
  },
  "file.removed"(tx, { data }) {
    const row = fileRow(tx, data);
    rewriteFile(tx, row, null, () => setRemoved(tx, row));
  },
  "file.approved": (tx, { boardRow, seq, at, actor, data }) =>
    setApproval(tx, {
      file_row: fileRow(tx, data),
      member_row: memberRow(tx, actor.member_id),
      version: data.version,
      place: placeOf(boardRow, seq),
      approved_at: at,
    }),
  "file.approval_removed": (tx, { actor, data }) =>
    deleteApproval(tx, fileRow(tx, data), memberRow(tx, actor.member_id)),
};

/** Records which versions of files a message attaches. */
export function insertPosted(
  tx: Tx,
  place: number,
  files: NonNullable<EventData<"message.posted">["files"]>,
): void {
  for (const { id, version } of files) insertPosting(tx, fileWithId(tx, id)!.row, place, version);
}

const fileRow = (tx: ReadTx, { file_id }: Projected<FileEvent>["data"]) =>
  fileWithId(tx, file_id)!.row;
const taskRows = (tx: ReadTx, ids: readonly string[]) => ids.map((id) => taskRow(tx, id));
