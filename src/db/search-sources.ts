import { bySenders, sendersWalk, walkAlong } from "./message-pages.ts";
import { reached, reachedWalk, readable, readableWalk } from "./readers.ts";
import { indexWalk, matching, type Source, type Way } from "./search.ts";

/** A way along a walk to rows of a table, called `m`, of which some fit the conditions. */
type WayAlong = (walk: string, conditions: readonly string[]) => Way;

const wayTo =
  (rows: string, place: string, size: string): WayAlong =>
  (walk, conditions) => ({
    found:
      `SELECT ${place} AS place, ${size} AS size FROM (${walk}) walk CROSS JOIN ${rows} ` +
      `WHERE ${conditions.join(" AND ") || "1"} ORDER BY ${place} DESC LIMIT ?5`,
    walked: `SELECT count(*) AS count FROM (${walk})`,
  });

const wayToMessages = wayTo(
  "message m ON m.place = walk.place CROSS JOIN event e ON e.place = m.place",
  "m.place",
  "octet_length(e.data)",
);

/** Messages that the reader may read. Their index comes after the log by itself. */
export const messageSource: Source = {
  index: "search_text",
  texts: ["text"],
  waysTo(reader, { terms, senders, toReader }) {
    const restricted = !reader.readsAll && !toReader;
    const conditions = [
      ...(toReader ? [reached, "m.sender_row <> ?1"] : []),
      ...(restricted ? [readable] : []),
      ...(senders ? [bySenders] : []),
    ];
    const walks = [
      ...(toReader ? [reachedWalk("DESC")] : []),
      ...(restricted ? [readableWalk("DESC")] : []),
      ...(senders ? [sendersWalk("DESC")] : []),
    ];
    // Each question to the index reads all words with a prefix anew: too much for every message of a walk.
    const asked = terms.some(({ prefix }) => prefix) ? [] : walks;
    const found = matching("search_text", "m.place");
    return [
      wayToMessages(indexWalk("search_text"), conditions),
      ...asked.map((walk) => wayToMessages(walk, [...conditions, found])),
    ];
  },
};

/** The texts of a task, as their index has them. */
export const taskTexts = ["ref", "title", "about", "stands", "closed_note"] as const;
const wayToTasks = wayTo(
  "task m ON m.text_place = walk.place",
  "m.text_place",
  taskTexts.map((text) => `coalesce(octet_length(m.${text}), 0)`).join(" + "),
);
const byOpeners = "m.opener_row IN (SELECT value FROM json_each(?7))";
const openersWalk = walkAlong({ table: "task", place: "text_place", sender: "opener_row" });

/** Tasks, which every member reads: each as it is now, where a text of it last changed, and of whom opened it. */
export const taskSource: Source = {
  index: "search_task",
  texts: taskTexts,
  waysTo(_, { terms, senders }) {
    const alongIndex = wayToTasks(indexWalk("search_task"), senders ? [byOpeners] : []);
    if (!senders || terms.some(({ prefix }) => prefix)) return [alongIndex];
    const found = matching("search_task", "m.text_place");
    return [alongIndex, wayToTasks(openersWalk("DESC"), [found])];
  },
};
