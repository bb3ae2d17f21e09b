import { taskWalk, type Written } from "../message-pages.ts";
import { reachedWalk, readableWalk } from "../readers.ts";
import type { Source } from "./search.ts";

/** Up to this many senders, the walk merges the places of each. For more, it checks the sender at every place. */
const mostSenders = 8;

/** A statement for the places of what the senders wrote, newest first. */
function writtenBy({ table, place, sender }: Written, senders: readonly number[]): string {
  const inOrder = "ORDER BY place DESC LIMIT ?6";
  const among = `SELECT ${place} AS place FROM ${table} WHERE ${place} > ?3 AND ${place} < ?4`;
  if (senders.length > mostSenders)
    return `${among} AND +${sender} IN (SELECT value FROM json_each(?7)) ${inOrder}`;
  // Each part is in order, so SQLite merges them without sorting.
  const each = senders.map((_, at) => `${among} AND ${sender} = json_extract(?7, '$[${at}]')`);
  return `${each.join(" UNION ALL ")} ${inOrder}`;
}

const writtenMessages: Written = { table: "message", place: "place", sender: "sender_row" };
const ownWalk =
  "SELECT place FROM message WHERE sender_row = ?1 AND place > ?3 AND place < ?4 ORDER BY place DESC LIMIT ?6";

/** Messages that the reader may read. Their index is filled after the commit. */
export const messageSource: Source = {
  index: "search_text",
  texts: ["text"],
  from: (place) => `event m ON m.place = ${place}`,
  size: "octet_length(m.data)",
  chosenBy: (reader, { senders, toReader, task }) => ({
    within: [
      ...(toReader ? [reachedWalk("DESC")] : reader.readsAll ? [] : [readableWalk("DESC")]),
      ...(senders ? [writtenBy(writtenMessages, senders)] : []),
      ...(task === null ? [] : [taskWalk("DESC")]),
    ],
    without: toReader ? [ownWalk] : [],
  }),
};

/** The texts of a task, in the order of the index's columns. */
export const taskTexts = ["ref", "title", "about", "stands", "closed_note"] as const;
const writtenTasks: Written = { table: "task", place: "text_place", sender: "opener_row" };
const itself =
  "SELECT text_place AS place FROM task WHERE row = ?8 AND text_place > ?3 AND text_place < ?4 LIMIT ?6";

/** Tasks, which every member may read: their current texts, at the place of their last change, filtered by who opened them. */
export const taskSource: Source = {
  index: "search_task",
  texts: taskTexts,
  from: (place) => `task m ON m.text_place = ${place}`,
  size: taskTexts.map((text) => `coalesce(octet_length(m.${text}), 0)`).join(" + "),
  chosenBy: (_, { senders, task }) => ({
    within: [
      ...(senders ? [writtenBy(writtenTasks, senders)] : []),
      ...(task === null ? [] : [itself]),
    ],
    without: [],
  }),
};

const writtenFiles: Written = { table: "file", place: "text_place", sender: "writer_row" };
const filesWalk =
  "SELECT f.text_place AS place FROM file_task t CROSS JOIN file f ON f.row = t.file_row WHERE t.task_row = ?8 AND f.text_place > ?3 AND f.text_place < ?4 ORDER BY f.text_place DESC LIMIT ?6";

/** Files on the board's list, which every member may read: their current names, filtered by who wrote the newest version. */
export const fileSource: Source = {
  index: "search_file",
  texts: ["name"],
  from: (place) => `file m ON m.text_place = ${place}`,
  size: "octet_length(m.name)",
  chosenBy: (_, { senders, task }) => ({
    within: [
      ...(senders ? [writtenBy(writtenFiles, senders)] : []),
      ...(task === null ? [] : [filesWalk]),
    ],
    without: [],
  }),
};
