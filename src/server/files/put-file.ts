import { refuse } from "../../contract/refusal.ts";
import type { InputOf } from "../../contract/index.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { fileVersion, fileWithId, tasksOfFile, type FileRow } from "../../db/files.ts";
import type { BeforeBytes, Handler } from "../handler.ts";
import { newId } from "../ids.ts";
import { recordBy } from "../record.ts";
import { RuleAnswer } from "../rule-answer.ts";
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

  if (file && !removes && isSame(tx, file, { query, about, digest: bytes.digest }))
    return new RuleAnswer({ ...fileRecord(tx, board, me, file), changed: false }, { status: 200 });
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
  return { ...fileRecord(tx, board, me, fileWithId(tx, id)!), changed: true };
};

interface Written {
  readonly query: InputOf<"putFile">["query"];
  readonly about: readonly string[];
  readonly digest: string;
}

/** Whether a write has the newest version's bytes and says nothing about the file that is not so already. */
function isSame(tx: ReadTx, file: FileRow, { query, about, digest }: Written): boolean {
  const newest = fileVersion(tx, file.row, file.latest)!;
  const before = tasksOfFile(tx, file.row).map(({ id }) => id);
  return (
    newest.sha256 === digest &&
    newest.media_type === (query.media_type ?? mediaTypeOf(query.name)) &&
    (query.brief ||
      query.maintained === undefined ||
      query.maintained === (file.maintained === 1)) &&
    about.length === before.length &&
    about.every((id) => before.includes(id))
  );
}
