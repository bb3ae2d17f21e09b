import { longestFileName } from "./limits.ts";
import {
  BoardName,
  Count,
  FileId,
  FileName,
  Hash,
  MemberRef,
  MessageId,
  Seq,
  Timestamp,
} from "./scalars.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { TaskRef } from "./tasks.ts";

export const Version = t.Integer({ minimum: 1 });
/** The two names that a board's brief can have. */
export const BriefName = oneOf("brief.md", "brief.html");

/** The version of a file, the latest by default. */
export const FileVersionSelector = closed({
  file: text({ minLength: 1, maxLength: longestFileName }),
  version: t.Optional(Version),
});

/** A version of a file, as a message that cites it pins it. */
export const FileRef = closed({ id: FileId, name: FileName, version: Version, digest: Hash });

export const Freshness = record({
  messages_since: Count,
  tasks_done_since: Count,
  answers_since: Count,
});

export const FileVersion = record({
  version: Version,
  digest: Hash,
  size: Count,
  media_type: t.String(),
  by: MemberRef,
  at: Timestamp,
  seq: Seq,
  base: Count,
});

export const FileApproval = record({
  person: MemberRef,
  version: Version,
  digest: Hash,
  at: Timestamp,
  changes_since: Count,
});

export const BoardFile = record({
  id: FileId,
  name: FileName,
  board: BoardName,
  maintained: t.Boolean(),
  about: t.Array(TaskRef),
  latest: FileVersion,
  approvals: t.Array(FileApproval),
  mine: nullable(FileApproval),
  freshness: Freshness,
});

export const FileDetail = record({
  ...BoardFile.properties,
  versions: t.Array(FileVersion),
  posted_in: t.Array(
    record({
      message_id: MessageId,
      seq: Seq,
      version: Version,
      thread_root_seq: nullable(Seq),
    }),
  ),
});

/** The brief of a board, in the board's record. */
export const BriefSummary = record({
  file_id: FileId,
  name: BriefName,
  version: Version,
  by: MemberRef,
  at: Timestamp,
  freshness: Freshness,
});
