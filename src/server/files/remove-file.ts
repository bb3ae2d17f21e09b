import type { Handler } from "../handler.ts";
import { recordBy } from "../record.ts";
import { listedFile } from "./find-file.ts";
import { fileRecord } from "./views.ts";

export const removeFile: Handler<"removeFile"> = (tx, standing, { params }) => {
  const { board, me } = standing;
  const file = listedFile(tx, board, params.file);
  const before = fileRecord(tx, board, me, file);
  recordBy(tx, standing)("file.removed", { file_id: file.id, name: file.name });
  return before;
};
