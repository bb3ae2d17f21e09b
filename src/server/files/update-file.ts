import { refuse } from "../../contract/refusal.ts";
import { fileAt, fileNamed, tasksOfFile } from "../../db/files.ts";
import type { Handler } from "../handler.ts";
import { recordBy } from "../record.ts";
import { tasksNamed } from "../tasks/find-task.ts";
import { isBriefName } from "./brief.ts";
import { listedFile } from "./find-file.ts";
import { fileRecord } from "./views.ts";

export const updateFile: Handler<"updateFile"> = (tx, standing, { params, body }) => {
  const { board, me } = standing;
  const file = listedFile(tx, board, params.file);
  const { name = file.name } = body;
  if (name !== file.name && isBriefName(name))
    throw refuse("brief_path_reserved", { board: board.name, file: name });
  if (name !== file.name && fileNamed(tx, board.row, name))
    throw refuse("file_name_taken", { board: board.name, file: name });
  const about = body.about && tasksNamed(tx, board, body.about);
  const before = tasksOfFile(tx, file.row).map(({ id }) => id);
  const { maintained } = body;
  const changes = {
    // A brief is always maintained: the request cannot change that.
    ...(maintained !== undefined &&
      maintained !== (file.maintained === 1) &&
      !isBriefName(name) && { maintained }),
    ...(about && about.join() !== before.join() && { about }),
  };

  const record = recordBy(tx, standing);
  if (name !== file.name)
    record("file.renamed", { file_id: file.id, before: file.name, after: name });
  if (Object.keys(changes).length > 0) record("file.updated", { file_id: file.id, ...changes });
  return fileRecord(tx, board, me, fileAt(tx, file.row)!);
};
