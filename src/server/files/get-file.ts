import { versionsOf } from "../../db/files.ts";
import type { Handler } from "../handler.ts";
import { fileCalled } from "./find-file.ts";
import { fileRecord, versionRecord } from "./views.ts";

export const getFile: Handler<"getFile"> = (tx, { board, me }, { params }) => {
  const file = fileCalled(tx, board, params.file);
  return {
    ...fileRecord(tx, board, me, file),
    versions: versionsOf(tx, file.row).map((version) => versionRecord(tx, version)),
    posted_in: [],
  };
};
