import { postingsOf, versionsOf } from "../../db/files.ts";
import { seqOf } from "../../db/log/log-place.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { fileCalled } from "./find-file.ts";
import { fileRecord, versionRecord } from "./views.ts";

export const getFile: Handler<"getFile"> = (tx, { board, me }, { params }) => {
  const file = fileCalled(tx, board, params.file);
  return {
    ...fileRecord(tx, board, me, file),
    versions: versionsOf(tx, file.row).map((version) => versionRecord(tx, version)),
    posted_in: postingsOf(tx, file.row, readerOn(board, me)).map(
      ({ place, id, root, version }) => ({
        message_id: id,
        seq: seqOf(place),
        version,
        thread_root_seq: root === null ? null : seqOf(root),
      }),
    ),
  };
};
