import type { Static } from "@sinclair/typebox";
import type { BoardFile, FileApproval, FileVersion } from "../../contract/file-record.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import {
  approvalsOf,
  fileVersion,
  tasksOfFile,
  type FileRow,
  type FileVersionRow,
} from "../../db/files.ts";
import type { MemberRow } from "../../db/members.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { memberRefAt } from "../member-ref.ts";
import { freshnessAfter } from "./freshness.ts";

type FileRecord = Static<typeof BoardFile>;

/** Files of one board, in the order given, as a member of it sees them. */
export function fileRecords(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly FileRow[],
): FileRecord[] {
  const places = rows.map(({ latest_place }) => latest_place);
  const freshness = freshnessAfter(tx, board, me, places);
  return rows.map((file) => {
    const approvals = approvalsOf(tx, file.row);
    const own = approvals.findIndex(({ member_row }) => member_row === me.row);
    const approvalRecords = approvals.map((approval): Static<typeof FileApproval> => ({
      person: memberRefAt(tx, approval.member_row),
      version: approval.version,
      digest: `sha256:${approval.sha256}`,
      at: approval.approved_at,
      changes_since: file.latest - approval.version,
    }));
    return {
      id: file.id,
      name: file.name,
      board: board.name,
      maintained: file.maintained === 1,
      about: tasksOfFile(tx, file.row).map(({ id, ref, title }) => ({ id, ref, title })),
      latest: versionRecord(tx, fileVersion(tx, file.row, file.latest)!),
      approvals: approvalRecords,
      mine: approvalRecords[own] ?? null,
      freshness: freshness.get(file.latest_place)!,
    };
  });
}

export const fileRecord = (tx: ReadTx, board: BoardRow, me: MemberRow, file: FileRow): FileRecord =>
  fileRecords(tx, board, me, [file])[0]!;

/** A version as the wire shows it. */
export const versionRecord = (tx: ReadTx, version: FileVersionRow): Static<typeof FileVersion> => ({
  version: version.version,
  digest: `sha256:${version.sha256}`,
  size: version.size,
  media_type: version.media_type,
  by: memberRefAt(tx, version.writer_row),
  at: version.written_at,
  seq: seqOf(version.place),
  base: version.base,
});
