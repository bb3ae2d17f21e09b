import type { EventData } from "../../contract/log.ts";
import type { Tx } from "../engine/database.ts";
import { askAt } from "../asks.ts";
import { placeOfMessage } from "../messages.ts";
import { memberKey, taskRow } from "./rows-by-id.ts";
import { insertRow } from "../insert-row.ts";
import { placeOf } from "../log/log-place.ts";
import type { Projected } from "./event-projection.ts";

type Data = EventData<"message.posted">;

/** Stores the ask of a message, if it has one. */
export function projectAsk(
  tx: Tx,
  message: { readonly boardRow: number; readonly place: number; readonly senderRow: number },
  { ask }: Data,
): void {
  if (!ask) return;
  const asked = memberKey(tx, ask.to);
  insertRow(tx, "ask", {
    place: message.place,
    board_row: message.boardRow,
    asker_row: message.senderRow,
    member_row: asked.row,
    person_row: asked.person_row,
    task_row: ask.task_id === null ? null : taskRow(tx, ask.task_id),
    going_at: ask.going_at,
  });
  tx.signal({ about: "attention", personRow: asked.person_row });
}

/** Stores the answer or withdrawal in a message, if it has one. The newest answer of an ask counts. */
export function projectAnswer(tx: Tx, place: number, { answer }: Data): void {
  if (!answer) return;
  const ask = placeOfMessage(tx, answer.ask_id)!;
  tx.run("INSERT INTO answer (place, ask) VALUES (?, ?)", place, ask);
  tx.run(
    "UPDATE ask SET answer = ?2, answer_option = ?3, withdrawn = ?4 WHERE place = ?1",
    ask,
    place,
    answer.option,
    answer.withdrawn ? 1 : 0,
  );
  tx.signal({ about: "attention", personRow: askAt(tx, ask)!.person_row });
}

/** Closes an ask that nobody can withdraw any more, because its people are of another server. */
export function projectWithdrawal(
  tx: Tx,
  { boardRow, seq, data }: Projected<"ask.withdrawn">,
): void {
  const ask = placeOfMessage(tx, data.ask_id)!;
  tx.run(
    "UPDATE ask SET answer = ?2, answer_option = NULL, withdrawn = 1 WHERE place = ?1",
    ask,
    placeOf(boardRow, seq),
  );
  tx.signal({ about: "attention", personRow: askAt(tx, ask)!.person_row });
}
