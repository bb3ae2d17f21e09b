import { aboutTask, bySenders, sendersWalk, taskWalk, walkAlong } from "./message-pages.ts";
import { reached, reachedWalk, readable, readableWalk } from "./readers.ts";
import {
  foundWithTexts,
  indexWalk,
  matching,
  type Source,
  type Texts,
  type Way,
} from "./search.ts";

/** How rows of a table, called `m`, are come to from a place that `walk` gives, and how many bytes each has. */
interface Rows extends Texts {
  from(place: string): string;
  readonly place: string;
  readonly size: string;
}

/** A way along a walk, of whose places those are found that fit the conditions. */
const wayAlong = (
  { from, place, size }: Rows,
  walk: string,
  conditions: readonly string[],
  alongIndex = false,
): Way => ({
  found:
    `SELECT ${place} AS place, ${size} AS size FROM (${walk}) walk CROSS JOIN ${from("walk.place")} ` +
    `WHERE ${conditions.join(" AND ") || "1"} ORDER BY ${place} DESC LIMIT ?5`,
  walked: `SELECT count(*) AS count FROM (${walk})`,
  alongIndex,
});

/** The only way there is: along the index as far as it takes. */
const onlyWay = (rows: Rows, conditions: readonly string[]): Way => ({
  found:
    `SELECT ${foundWithTexts(rows, "walk.rowid", rows.size)} FROM ${rows.index} walk CROSS JOIN ${rows.from("walk.rowid")} ` +
    `WHERE ${[`${rows.index} MATCH ?9 AND walk.rowid > ?3 AND walk.rowid < ?4`, ...conditions].join(" AND ")} ` +
    "ORDER BY walk.rowid DESC LIMIT ?5",
  walked: null,
  alongIndex: true,
});

/** The ways along the index and along each of some walks. */
const waysTo = (rows: Rows, walks: readonly string[], conditions: readonly string[]): Way[] =>
  walks.length === 0
    ? [onlyWay(rows, conditions)]
    : [
        wayAlong(rows, indexWalk(rows.index), conditions, true),
        ...walks.map((walk) =>
          wayAlong(rows, walk, [...conditions, matching(rows.index, rows.place)]),
        ),
      ];

const messages: Rows = {
  index: "search_text",
  texts: ["text"],
  from: (place) => `message m ON m.place = ${place} CROSS JOIN event e ON e.place = m.place`,
  place: "m.place",
  size: "octet_length(e.data)",
};

/** Messages that the reader may read. Their index comes after the log by itself. */
export const messageSource: Source = {
  ...messages,
  waysTo(reader, { terms, senders, toReader, task }) {
    const restricted = !reader.readsAll && !toReader;
    const conditions = [
      ...(toReader ? [reached, "m.sender_row <> ?1"] : []),
      ...(restricted ? [readable] : []),
      ...(senders ? [bySenders] : []),
      ...(task === null ? [] : [aboutTask]),
    ];
    const walks = [
      ...(toReader ? [reachedWalk("DESC")] : []),
      ...(restricted ? [readableWalk("DESC")] : []),
      ...(senders ? [sendersWalk("DESC")] : []),
      ...(task === null ? [] : [taskWalk("DESC")]),
    ];
    // Each question to the index reads all words with a prefix anew: too much for every message of a walk.
    return waysTo(messages, terms.some(({ prefix }) => prefix) ? [] : walks, conditions);
  },
};

/** The texts of a task, as their index has them. */
export const taskTexts = ["ref", "title", "about", "stands", "closed_note"] as const;
const tasks: Rows = {
  index: "search_task",
  texts: taskTexts,
  from: (place) => `task m ON m.text_place = ${place}`,
  place: "m.text_place",
  size: taskTexts.map((text) => `coalesce(octet_length(m.${text}), 0)`).join(" + "),
};
const byOpeners = "m.opener_row IN (SELECT value FROM json_each(?7))";
const openersWalk = walkAlong({ table: "task", place: "text_place", sender: "opener_row" });
const itself =
  "SELECT text_place AS place FROM task WHERE row = ?8 AND text_place > ?3 AND text_place < ?4 LIMIT ?6";

/** Tasks, which every member reads: each as it is now, where a text of it last changed, and of whom opened it. */
export const taskSource: Source = {
  ...tasks,
  waysTo(_, { terms, senders, task }) {
    const conditions = senders ? [byOpeners] : [];
    if (task !== null)
      return [wayAlong(tasks, itself, [...conditions, matching(tasks.index, tasks.place)])];
    const asked = senders && !terms.some(({ prefix }) => prefix);
    return waysTo(tasks, asked ? [openersWalk("DESC")] : [], conditions);
  },
};

const files: Rows = {
  index: "search_file",
  texts: ["name"],
  from: (place) => `file m ON m.text_place = ${place}`,
  place: "m.text_place",
  size: "octet_length(m.name)",
};
const byWriters = "m.writer_row IN (SELECT value FROM json_each(?7))";
const writersWalk = walkAlong({ table: "file", place: "text_place", sender: "writer_row" });
const ofTask = "EXISTS (SELECT 1 FROM file_task t WHERE t.task_row = ?8 AND t.file_row = m.row)";
const filesWalk =
  "SELECT f.text_place AS place FROM file_task t CROSS JOIN file f ON f.row = t.file_row WHERE t.task_row = ?8 AND f.text_place > ?3 AND f.text_place < ?4 ORDER BY f.text_place DESC LIMIT ?6";

/** Files on the board's list, which every member reads: each by its name of now, and of whom wrote its newest version. */
export const fileSource: Source = {
  ...files,
  waysTo(_, { terms, senders, task }) {
    const conditions = [...(senders ? [byWriters] : []), ...(task === null ? [] : [ofTask])];
    const walks = [
      ...(senders ? [writersWalk("DESC")] : []),
      ...(task === null ? [] : [filesWalk]),
    ];
    return waysTo(files, terms.some(({ prefix }) => prefix) ? [] : walks, conditions);
  },
};
