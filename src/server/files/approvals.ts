import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { approvalBy, type FileRow, type FileVersionRow } from "../../db/files.ts";
import type { Standing } from "../access/caller-standing.ts";
import type { Handler } from "../handler.ts";
import { recordBy } from "../record.ts";
import { listedFile, versionCalled } from "./find-file.ts";
import { fileRecord } from "./views.ts";

export const approveFile: Handler<"approveFile"> = (tx, standing, { params, body }) => {
  const { board, me } = standing;
  const file = listedFile(tx, board, params.file);
  approve(tx, standing, file, versionCalled(tx, board, file, body.version));
  return fileRecord(tx, board, me, file);
};

export const removeFileApproval: Handler<"removeFileApproval"> = (tx, standing, { params }) => {
  const { board, me } = standing;
  const file = listedFile(tx, board, params.file);
  const approved = approvedBy(tx, standing, file);
  if (approved !== null)
    recordBy(tx, standing)("file.approval_removed", { file_id: file.id, version: approved });
  return fileRecord(tx, board, me, file);
};

/** Records that the caller, a person, approves a version of a file. An approval that exists is not recorded again. */
export function approve(
  tx: Tx,
  standing: Standing<"on-board">,
  file: FileRow,
  { version, sha256 }: FileVersionRow,
): void {
  if (approvedBy(tx, standing, file) === version) return;
  recordBy(tx, standing)("file.approved", {
    file_id: file.id,
    version,
    digest: `sha256:${sha256}`,
  });
}

const approvedBy = (tx: ReadTx, { me }: Standing<"on-board">, file: FileRow): number | null =>
  approvalBy(tx, file.row, me.row)?.version ?? null;
