import type { TProperties, TSchema } from "@sinclair/typebox";
import { greatestSeq, mostSearchWords } from "./limits.ts";
import { FileVersion } from "./file-record.ts";
import { callers, operation } from "./operation.ts";
import {
  after,
  BoardName,
  BoardParams,
  FileId,
  FileName,
  limit,
  MemberName,
  MemberRef,
  MessageId,
  RoleName,
  Seq,
  Target,
  TaskId,
  TaskReference,
  TaskSelector,
  Timestamp,
} from "./scalars.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";
import { TaskState } from "./tasks.ts";

/** The bounds of a query. */
export const searchBounds = {
  words: mostSearchWords,
  /** Most words and phrases with a star. */
  prefixes: 2,
  /** Fewest letters and digits before a star if all are Latin; `prefixLengthBeyondLatin` otherwise. */
  prefixLength: 3,
  prefixLengthBeyondLatin: 2,
} as const;

/** A part of a text, split at the beginning and end of each match. */
export const Excerpt = record({
  parts: t.Array(record({ text: t.String(), match: t.Boolean() })),
  more_before: t.Boolean(),
  more_after: t.Boolean(),
});

/** The record of a hit, with what every kind has: its id, and the event by which it is dated and filtered. */
const hit = <K extends string, I extends TSchema, P extends TProperties>(
  kind: K,
  id: I,
  properties: P,
) => record({ kind: oneOf(kind), id, seq: Seq, at: Timestamp, ...properties, excerpt: Excerpt });

export const MessageHit = hit("message", MessageId, {
  from: MemberRef,
  to: t.Array(Target),
  thread_root_seq: nullable(Seq),
});

export const TaskHit = hit("task", TaskId, {
  ref: TaskReference,
  title: t.String(),
  state: TaskState,
  owner: nullable(MemberRef),
  found_in: oneOf("ref", "title", "about", "stands", "closed_note"),
});

export const FileHit = hit("file", FileId, {
  name: FileName,
  maintained: t.Boolean(),
  latest: FileVersion,
});

export const SearchHit = t.Union([MessageHit, TaskHit, FileHit]);

export const searchBoard = operation({
  method: "GET",
  path: "/v1/boards/:board/search",
  tag: "search",
  summary: "Search a board",
  description:
    'Finds the messages, tasks and files that the caller may read and that have every word of `q`, in upper or lower case and with or without accents. `"Words in quotes"` must follow each other, and `word*` finds words that begin like this; nothing else has a meaning, and punctuation only separates words. `q` has at most 32 words, with those of phrases. A task is found by the current texts of its reference, title, `about`, `stands` and closing note, and its position is that of their last change; if `q` is its reference, it comes first. A file on the board\'s list is found by its current name, in which slashes, dots and dashes separate the words, and its position is that of its last write or rename. The newest 500 hits are ranked together: by how often the words occur and how short the text is, then the newest first; older hits follow. A page may be shorter than `limit`: pass `next` as `cursor`, with the rest as it was, as long as there is one.',
  access: "on-board",
  callers: callers.members,
  guests: true,
  shape: "indexed",
  params: BoardParams,
  query: closed({
    q: text({ minLength: 1, maxLength: 200 }),
    kind: t.Optional(oneOf("message", "task", "file")),
    from: t.Optional(MemberName),
    role: t.Optional(RoleName),
    to_me: t.Optional(t.Boolean({ default: false })),
    task: t.Optional(TaskSelector),
    after,
    before: t.Optional(t.Integer({ minimum: 1, maximum: greatestSeq })),
    cursor: t.Optional(
      text({
        pattern: "^[1-9][0-9]{0,9}(-[1-9][0-9]{0,9}-[0-9]{1,7}-[1-9][0-9]{0,9})?$",
        description: "the `next` of an answer, such as `1207` or `1207-630-1493212-981`",
      }),
    ),
    limit,
  }),
  response: record({
    board: BoardName,
    hits: t.Array(SearchHit),
    next: nullable(t.String()),
    complete: t.Boolean(),
  }),
  errors: ["member_not_found", "role_not_found", "task_not_found"],
});
