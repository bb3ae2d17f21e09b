import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";
import { messagesOf, type MessageFilter } from "../../db/message-pages.ts";
import { seqOf } from "../../db/log/log-place.ts";
import type { Handler } from "../handler.ts";
import { taskCalled } from "../tasks/find-task.ts";
import { readerOn } from "../access/readable-messages.ts";
import { renderedWith } from "../rendered-list.ts";
import { sendersAsked } from "./senders.ts";
import { messageTexts } from "./views.ts";

type Page = Output<Operations["listMessages"]>;

export const listMessages: Handler<"listMessages"> = (tx, { board, me }, { query }) => {
  const senders = sendersAsked(tx, board, query);
  const task = query.task === undefined ? null : taskCalled(tx, board, query.task).row;
  const { after = 0, before = null, newest = false, limit = 50 } = query;
  const reader = readerOn(board, me);
  const matching = (window: Pick<MessageFilter, "after" | "before" | "newest" | "limit">) =>
    messagesOf(tx, board.row, reader, {
      senders,
      toReader: query.to_me ?? false,
      task,
      ...window,
    });

  // One more row than the page holds: its presence means that there is another page.
  const found = matching({ after, before, newest, limit: limit + 1 });
  const rows = found.slice(0, limit);
  if (newest) rows.reverse();
  const first = rows[0] && seqOf(rows[0].place);
  const last = rows.length ? seqOf(rows.at(-1)!.place) : undefined;
  const cut = found.length > limit;
  const follows =
    last !== undefined &&
    (cut && !newest
      ? true
      : before !== null &&
        matching({ after: last, before: null, newest: false, limit: 1 }).length > 0);
  const precedes =
    first !== undefined &&
    (cut && newest
      ? true
      : after > 0 && matching({ after: 0, before: first, newest: true, limit: 1 }).length > 0);
  return renderedWith<Page, "messages">(
    {
      board: board.name,
      next_after: follows ? last : null,
      prev_before: precedes ? first : null,
    },
    "messages",
    messageTexts(tx, board, me, rows),
  );
};
