import { refuse } from "../../contract/refusal.ts";
import { fileWithId, tasksOfFile } from "../../db/files.ts";
import type { BeforeBytes, Handler } from "../handler.ts";
import { newId } from "../ids.ts";
import { recordBy } from "../record.ts";
import { tasksNamed } from "../tasks/find-task.ts";
import { mediaTypeOf } from "./media-types.ts";
import { replacedBy } from "./replaced-version.ts";
import { fileRecord } from "./views.ts";

/** The refusals of an upload that need no bytes. */
export const beforePutFile: BeforeBytes<"putFile"> = (tx, standing, { query }, repeatable) => {
  if (repeatable) return;
  replacedBy(tx, standing.board, query);
  tasksNamed(tx, standing.board, query.about ?? []);
};

export const putFile: Handler<"putFile"> = (tx, standing, { query, bytes }) => {
  const { board, me } = standing;
  const { file, removes } = replacedBy(tx, board, query);
  const about = query.about
    ? tasksNamed(tx, board, query.about)
    : file
      ? tasksOfFile(tx, file.row).map(({ id }) => id)
      : [];
  if (bytes.secret !== null) throw refuse("file_has_secret", { kind: bytes.secret });

  const record = recordBy(tx, standing);
  if (removes) record("file.removed", { file_id: removes.id, name: removes.name });
  const id = file?.id ?? newId(tx, "fil");
  const base = file?.latest ?? 0;
  record("file.version_added", {
    file_id: id,
    name: query.name,
    version: base + 1,
    digest: `sha256:${bytes.digest}`,
    size: bytes.size,
    media_type: query.media_type ?? mediaTypeOf(query.name),
    base_version: base,
    maintained: query.brief || (query.maintained ?? file?.maintained === 1),
    about,
  });
  return fileRecord(tx, board, me, fileWithId(tx, id)!);
};
