import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";
import { messagesOf } from "../../db/message-pages.ts";
import type { Handler } from "../handler.ts";
import { taskCalled } from "../tasks/find-task.ts";
import { readerOn } from "../access/readable-messages.ts";
import { pageAlongLog } from "../page-along-log.ts";
import { renderedWith } from "../rendered-list.ts";
import { sendersAsked } from "./senders.ts";
import { messageTexts } from "./views.ts";

type Page = Output<Operations["listMessages"]>;

export const listMessages: Handler<"listMessages"> = (tx, { board, me }, { query }) => {
  const senders = sendersAsked(tx, board, query);
  const task = query.task === undefined ? null : taskCalled(tx, board, query.task).row;
  const reader = readerOn(board, me);
  const { rows, ...ends } = pageAlongLog(query, (window) =>
    messagesOf(tx, board.row, reader, {
      senders,
      toReader: query.to_me ?? false,
      task,
      ...window,
    }),
  );
  return renderedWith<Page, "messages">(
    { board: board.name, ...ends },
    "messages",
    messageTexts(tx, board, me, rows),
  );
};
