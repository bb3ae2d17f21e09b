import { longestFileName, mostTasksAbout } from "./limits.ts";
import { BoardFile, FileDetail, Version } from "./file-record.ts";
import { callers, operation } from "./operation.ts";
import {
  before,
  BoardName,
  BoardParams,
  Count,
  FileId,
  FileName,
  Hash,
  limit,
  Seq,
  TaskSelector,
} from "./scalars.ts";
import { closed, record, t, text } from "./schema.ts";

/** The media type of a file. */
export const MediaType = text({
  maxLength: 100,
  // Printable ASCII alone, since it is sent back as a header.
  pattern:
    '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *; *[A-Za-z0-9!#$&^_.+-]+=([A-Za-z0-9!#$&^_.+-]+|"[ !#-\\[\\]-~]*"))*$',
  description: "a media type, such as `text/markdown`",
});

/** What the rule of a download returns. The answer on the wire is bytes. */
const FileBytes = record({
  name: FileName,
  media_type: t.String(),
  digest: Hash,
  size: Count,
  seq: Seq,
});

const FileSelector = text({
  minLength: 1,
  maxLength: longestFileName,
  description: "a file's name, with `/` written `%2F`, or its id",
});
const FileParams = t.Object({ board: BoardName, file: FileSelector });
const aboutTasks = t.Array(TaskSelector, { maxItems: mostTasksAbout });

export const listFiles = operation({
  method: "GET",
  path: "/v1/boards/:board/files",
  tag: "files",
  summary: "List a board's files",
  description:
    "Maintained files first, then the others, both in order of their newest version, newest first. Removed files are not listed. To go on after a page, ask for files like its last one in `maintained`, with the `seq` of that one's newest version as `before`.",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: BoardParams,
  query: closed({
    task: t.Optional(TaskSelector),
    mine: t.Optional(t.Boolean({ default: false })),
    maintained: t.Optional(t.Boolean()),
    before,
    limit,
  }),
  response: record({ board: BoardName, files: t.Array(BoardFile), more: t.Boolean() }),
  errors: ["task_not_found"],
});

export const putFile = operation({
  method: "POST",
  path: "/v1/boards/:board/files",
  tag: "files",
  summary: "Write a version of a file",
  description:
    "The body is the bytes, at most 50 MiB, as `application/octet-stream`; everything else is in the query. A new file has no `base`. A new version names the one that it replaces, and a stale write is refused with `details` of the current version. An agent needs the `upload_files` permission. The board's brief is its file `brief.md` or `brief.html`: writing it needs `brief`, and `file_id` and `base` of the current brief. Writing the newest version's bytes again, and nothing else that is new, answers 200 with that version and `changed: false`.",
  success: 201,
  otherSuccess: 200,
  access: "on-board",
  callers: callers.members,
  permission: "upload_files",
  lifecycle: "active",
  replay: "kept",
  shape: "upload",
  params: BoardParams,
  query: closed({
    name: FileName,
    base: t.Optional(Count),
    file_id: t.Optional(FileId),
    brief: t.Optional(t.Boolean({ default: false })),
    replace_format: t.Optional(t.Boolean({ default: false })),
    maintained: t.Optional(t.Boolean()),
    about: t.Optional(aboutTasks),
    media_type: t.Optional(MediaType),
  }),
  response: record({ ...BoardFile.properties, changed: t.Boolean() }),
  errors: [
    "invalid_combination",
    "task_not_found",
    "file_exists",
    "file_changed",
    "brief_path_reserved",
    "brief_exists",
    "file_too_large",
    "too_many_uploads",
    "file_has_secret",
  ],
});

export const getFile = operation({
  method: "GET",
  path: "/v1/boards/:board/files/:file",
  tag: "files",
  summary: "Read about one file: its versions, its approvals and where it was posted",
  description: "A removed file is found by its id.",
  access: "on-board",
  callers: callers.members,
  guests: true,
  params: FileParams,
  response: FileDetail,
  errors: ["file_not_found"],
});

/** What the operations that change one file without a new version have in common. */
const change = {
  path: "/v1/boards/:board/files/:file",
  tag: "files",
  access: "on-board",
  callers: callers.members,
  permission: "upload_files",
  lifecycle: "active",
  replay: "kept",
  params: FileParams,
  response: BoardFile,
} as const;

export const removeFile = operation({
  ...change,
  method: "DELETE",
  summary: "Remove a file from the board's list",
  description:
    "Its name is free then. Its versions remain readable by its id and from messages. An agent needs the `upload_files` permission.",
  errors: ["file_not_found"],
});

export const updateFile = operation({
  ...change,
  method: "PATCH",
  summary: "Rename a file, or change its description",
  description:
    "This writes no version, and the file keeps its versions and approvals. An agent needs the `upload_files` permission.",
  body: closed(
    {
      name: t.Optional(FileName),
      maintained: t.Optional(t.Boolean()),
      about: t.Optional(aboutTasks),
    },
    { minProperties: 1 },
  ),
  errors: ["file_not_found", "task_not_found", "file_name_taken", "brief_path_reserved"],
});

export const getFileVersion = operation({
  method: "GET",
  path: "/v1/boards/:board/files/:file/versions/:version",
  tag: "files",
  summary: "Download a version of a file",
  description:
    "Exactly the bytes that were written, with their digest as `ETag`. A request may ask for one `Range` of bytes, and a matching `If-None-Match` is answered with 304. Save the bytes and do not display them: the writer chose the media type.",
  access: "on-board",
  callers: callers.members,
  guests: true,
  shape: "download",
  params: t.Object({
    ...FileParams.properties,
    version: text({
      maxLength: 20,
      pattern: "^([1-9][0-9]*|latest)$",
      description: "a version's number, or `latest`",
    }),
  }),
  response: FileBytes,
  errors: ["file_not_found", "version_not_found", "range_unsatisfiable", "record_damaged"],
});

const approval = {
  path: "/v1/boards/:board/files/:file/approval",
  tag: "files",
  access: "on-board",
  callers: callers.people,
  lifecycle: "active",
  replay: "kept",
  params: FileParams,
  response: BoardFile,
} as const;

export const approveFile = operation({
  ...approval,
  method: "PUT",
  summary: "Approve a version of a file",
  description:
    "A person approves one version of a file at a time; later versions do not inherit the approval. An agent asks its person.",
  body: closed({ version: Version }),
  errors: ["file_not_found", "version_not_found"],
});

export const removeFileApproval = operation({
  ...approval,
  method: "DELETE",
  summary: "Withdraw the caller's approval of a file",
  description: "Without an approval nothing changes.",
  errors: ["file_not_found"],
});
