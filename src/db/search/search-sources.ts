import { taskWalk, type Written } from "../message-pages.ts";
import { reachedWalk, readableWalk } from "../readers.ts";
import type { Source } from "./search.ts";

/** Most members each of whose places are walked along: of more, all places are looked at for who wrote there. */
const mostSenders = 8;

/** The places of what the senders wrote, newest first. */
function writtenBy({ table, place, sender }: Written, senders: readonly number[]): string {
  const inOrder = "ORDER BY place DESC LIMIT ?6";
  const among = `SELECT ${place} AS place FROM ${table} WHERE ${place} > ?3 AND ${place} < ?4`;
  if (senders.length > mostSenders)
    return `${among} AND +${sender} IN (SELECT value FROM json_each(?7)) ${inOrder}`;
  // Each has its places in order, so SQLite merges them as it goes.
  const each = senders.map((_, at) => `${among} AND ${sender} = json_extract(?7, '$[${at}]')`);
  return `${each.join(" UNION ALL ")} ${inOrder}`;
}

const writtenMessages: Written = { table: "message", place: "place", sender: "sender_row" };
/** The reader's own messages. */
const ownWalk =
  "SELECT place FROM message WHERE sender_row = ?1 AND place > ?3 AND place < ?4 ORDER BY place DESC LIMIT ?6";

/** Messages that the reader may read. Their index comes after the log by itself. */
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

/** The texts of a task, as their index has them. */
export const taskTexts = ["ref", "title", "about", "stands", "closed_note"] as const;
const writtenTasks: Written = { table: "task", place: "text_place", sender: "opener_row" };
const itself =
  "SELECT text_place AS place FROM task WHERE row = ?8 AND text_place > ?3 AND text_place < ?4 LIMIT ?6";

/** Tasks, which every member reads: each as it is now, where a text of it last changed, and of whom opened it. */
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

/** Files on the board's list, which every member reads: each by its name of now, and of whom wrote its newest version. */
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
