import type { AskRow } from "../../db/asks.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { fileWithId } from "../../db/files.ts";
import type { Posted } from "../../db/engine/log-caches.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { postedAt } from "../../db/messages.ts";
import { taskAt } from "../../db/tasks.ts";
import { memberRefAt } from "../member-ref.ts";
import { taskRef } from "../tasks/views.ts";
import type { Kind, Open, Shown } from "./item.ts";
import { shownMessage } from "./shown-message.ts";
import { memberOf, type View } from "./view.ts";

/** Open asks to the person. One for an approval of files is an item of its own kind. */
export const asks: Kind = (view) => {
  const rows = view.asks("human");
  return {
    open: rows.map((row) => openAsk(view, row)),
    changesAt: rows.flatMap(({ going_at }) => going_at ?? []),
  };
};

function openAsk(view: View, row: AskRow): Open {
  const { tx } = view;
  const { at, data } = postedAt(tx, row.place);
  const board = view.board(row.board_row)!;
  const ask = data.ask!;
  const newer = ask.approval ? newerVersions(tx, data) : [];
  const task = row.task_row === null ? null : taskAt(tx, row.task_row)!;
  // A closed task waits for nothing.
  const stopped = row.going_at === null && task && !task.closed_at ? task.ref : null;
  return {
    kind: ask.approval ? "approval_ask" : "ask",
    cause: data.message_id,
    urgency: ask.approval || stopped ? "now" : "later",
    at,
    board,
    mark: newer.join(),
    show() {
      const asker = memberOf(tx, row.asker_row);
      const { text, ref } = shownMessage(tx, row.place);
      return {
        from: memberRefAt(tx, row.asker_row),
        title: ask.approval
          ? `@${asker.name} asks you to approve ${filesOf(data)}${newer.map((file) => `; there is a newer ${file}`).join("")}`
          : `@${asker.name} asks you${effectOf(row, stopped)}`,
        text,
        ref: {
          ...ref,
          ...(task && { task: taskRef(task) }),
          ...(ask.approval && { files: data.files ?? [] }),
          ...(row.going_at !== null && { until: row.going_at }),
        },
        actions: actionsOf(board.name, seqOf(row.place), ask),
      };
    },
  };
}

const effectOf = ({ going_at }: AskRow, stopped: string | null): string => {
  if (going_at !== null) return ", and goes on without an answer later";
  return stopped === null ? ", and waits" : `, and ${stopped} stands still`;
};

const filesOf = ({ files = [] }: Posted["data"]): string =>
  files.map(({ name, version }) => `${name} version ${version}`).join(", ");

/** The newest version of each cited file that has a newer one than the ask cites. */
const newerVersions = (tx: ReadTx, { files = [] }: Posted["data"]): string[] =>
  files.flatMap(({ id, version }) => {
    const file = fileWithId(tx, id)!;
    return file.latest > version ? [`version ${file.latest} of ${file.name}`] : [];
  });

function actionsOf(
  board: string,
  seq: number,
  { options, approval }: NonNullable<Posted["data"]["ask"]>,
): Shown["actions"] {
  const answer = (what: string) => `service ask --answer ${seq} ${what} --board ${board}`;
  return [
    ...(approval ? [{ name: "approve" as const, command: answer("--option 1") }] : []),
    {
      name: "answerAsk",
      options,
      command: answer(options.length > 0 ? "--option K" : '"TEXT"'),
    },
    { name: "open", command: `service ask --open --board ${board}` },
  ];
}
