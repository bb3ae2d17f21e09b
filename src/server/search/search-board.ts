import { taskReferenceForm } from "../../contract/forms.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { hasEveryMessage } from "../../db/search/search-index.ts";
import type { BoardRow } from "../../db/boards.ts";
import { placeOf, seqOf } from "../../db/log/log-place.ts";
import type { Handler } from "../handler.ts";
import { readerOn } from "../access/readable-messages.ts";
import { sendersAsked } from "../messages/senders.ts";
import { taskCalled } from "../tasks/find-task.ts";
import { blockOf, foundInTurn, type Block, type Question } from "./newest-matches.ts";
import { taskFound } from "../tasks/find-task.ts";
import { cursorOf, cursorText, pastEverySeq, type Cursor } from "./cursor.ts";
import { hitRecords } from "./hits.ts";
import { byRank, kinds, type Found, type KindMatch } from "./ranking.ts";
import { termsOf } from "./terms.ts";

export const searchBoard: Handler<"searchBoard"> = (tx, { board, me }, { query }) => {
  const { after = 0, before = pastEverySeq, limit = 50, to_me: toReader = false } = query;
  const terms = termsOf(query.q);
  const senders = sendersAsked(tx, board, query);
  const task = query.task === undefined ? null : taskCalled(tx, board, query.task).row;
  const reader = readerOn(board, me);
  const asked: Question = {
    board,
    reader,
    search: { terms, after, before, senders, toReader, task, without: null },
    // Only messages have recipients.
    kinds: kinds.filter(
      (kind) => kind === (query.kind ?? kind) && (kind === "message" || !toReader),
    ),
  };
  const cursor = cursorOf(query.cursor);
  // The named task comes before all other results, on the first page only.
  const named = taskNamed(tx, asked);
  const search = { ...asked.search, without: named?.place ?? null };
  const block = blockOf(tx, { ...asked, search }, cursor);
  const first = named && query.cursor === undefined ? [...foundInTurn(tx, terms, [named])] : [];
  const left = block.found.toSorted(byRank).filter(follows(board, cursor));
  const page = left.slice(0, limit - first.length);
  return {
    board: board.name,
    hits: hitRecords(tx, board, me, [...first, ...page]),
    next: nextOf(block, page, page.length === left.length),
    complete: hasEveryMessage(tx, board.row),
  };
};

const follows =
  (board: BoardRow, { shown }: Cursor) =>
  (found: Found): boolean =>
    shown === null || byRank({ ...shown, place: placeOf(board.row, shown.seq) }, found) < 0;

function nextOf({ found, before }: Block, page: readonly Found[], isEnd: boolean): string | null {
  if (isEnd) return before === null ? null : cursorText({ newest: seqOf(before), shown: null });
  const [newest, oldest] = [seqOf(found[0]!.place), seqOf(found.at(-1)!.place)];
  const last = page.at(-1);
  const shown = last ? { oldest, score: last.score, seq: seqOf(last.place) } : null;
  return cursorText({ newest, shown });
}

const reference = new RegExp(taskReferenceForm, "i");

/** If the query is only a task's reference: that task, if the filters allow it. */
function taskNamed(tx: ReadTx, { board, kinds, search }: Question): KindMatch | null {
  const { terms, after, before, senders, task: only } = search;
  const [term] = terms;
  if (!kinds.includes("task") || terms.length > 1 || !term || term.prefix) return null;
  const task = reference.test(term.text) ? taskFound(tx, board, term.text) : null;
  if (!task || (only ?? task.row) !== task.row || senders?.includes(task.opener_row) === false)
    return null;
  const [place, seq] = [task.text_place, seqOf(task.text_place)];
  return seq > after && seq < before ? { place, size: 0, texts: null, kind: "task" } : null;
}
