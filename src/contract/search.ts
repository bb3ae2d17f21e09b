import { callers, operation } from "./operation.ts";
import {
  after,
  BoardName,
  BoardParams,
  limit,
  MemberName,
  MemberRef,
  MessageId,
  RoleName,
  Seq,
  Target,
  TaskSelector,
  Timestamp,
} from "./scalars.ts";
import { closed, nullable, oneOf, record, t, text } from "./schema.ts";

/** The bounds of what is searched for. */
export const searchBounds = {
  /** Words and phrases. */
  terms: 32,
  /** Those of them with a star. */
  prefixes: 2,
  /** Least letters and digits before a star, and where some are not of the Latin script. */
  prefixLength: 3,
  prefixLengthBeyondLatin: 2,
} as const;

/** A part of a text, cut in pieces where what was searched for begins and ends. */
export const Excerpt = record({
  parts: t.Array(record({ text: t.String(), match: t.Boolean() })),
  more_before: t.Boolean(),
  more_after: t.Boolean(),
});

export const SearchHit = record({
  kind: oneOf("message"),
  id: MessageId,
  seq: Seq,
  at: Timestamp,
  from: MemberRef,
  to: t.Array(Target),
  thread_root_seq: nullable(Seq),
  excerpt: Excerpt,
});

export const searchBoard = operation({
  method: "GET",
  path: "/v1/boards/:board/search",
  tag: "search",
  summary: "Search a board",
  description:
    'Finds what the caller may read and what has every word of `q`, in any case and with or without accents. `"Words in quotes"` must follow each other, and `word*` finds words that begin like this; nothing else has a meaning, and punctuation only parts words. The newest 500 that are found are ranked: how often the words stand there, in how short a text, then the newest; those before them come after. A page may be shorter than `limit`: pass `next` as `cursor`, with the rest as it was, as long as there is one.',
  access: "on-board",
  callers: callers.members,
  guests: true,
  shape: "indexed",
  params: BoardParams,
  query: closed({
    q: text({ minLength: 1, maxLength: 200 }),
    from: t.Optional(MemberName),
    role: t.Optional(RoleName),
    to_me: t.Optional(t.Boolean({ default: false })),
    task: t.Optional(TaskSelector),
    after,
    before: t.Optional(t.Integer({ minimum: 1, maximum: 0xffff_ffff })),
    cursor: t.Optional(
      text({
        pattern: "^[1-9][0-9]{0,9}-[0-9]{1,3}$",
        description: "the `next` of an answer, such as `1207-50`",
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
