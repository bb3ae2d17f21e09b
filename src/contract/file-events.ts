import { Version } from "./file-record.ts";
import { Count, FileId, FileName, Hash, TaskId } from "./scalars.ts";
import { closed, t } from "./schema.ts";

const file = { file_id: FileId };

/** The events of files in a board's log. */
export const fileEvents = () => ({
  "file.version_added": closed({
    ...file,
    name: FileName,
    version: Version,
    digest: Hash,
    size: Count,
    media_type: t.String(),
    base_version: Count,
    maintained: t.Boolean(),
    about: t.Array(TaskId),
  }),
  "file.updated": closed({
    ...file,
    maintained: t.Optional(t.Boolean()),
    about: t.Optional(t.Array(TaskId)),
  }),
  "file.renamed": closed({ ...file, before: FileName, after: FileName }),
  "file.removed": closed({ ...file, name: FileName }),
  "file.approved": closed({ ...file, version: Version, digest: Hash }),
  "file.approval_removed": closed({ ...file, version: Version }),
});
