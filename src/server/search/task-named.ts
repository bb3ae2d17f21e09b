import { taskReferenceForm } from "../../contract/forms.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { taskFound } from "../tasks/find-task.ts";
import type { Question } from "./newest-matches.ts";
import type { KindMatch } from "./ranking.ts";

const reference = new RegExp(taskReferenceForm, "i");

/** If the query is only a task's reference: that task, if the filters allow it. */
export function taskNamed(tx: ReadTx, { board, kinds, search }: Question): KindMatch | null {
  const { terms, after, before, senders, task: only } = search;
  const [term] = terms;
  if (!kinds.includes("task") || terms.length > 1 || !term || term.prefix) return null;
  const task = reference.test(term.text) ? taskFound(tx, board, term.text) : null;
  if (!task || (only ?? task.row) !== task.row || senders?.includes(task.opener_row) === false)
    return null;
  const [place, seq] = [task.text_place, seqOf(task.text_place)];
  return seq > after && seq < before ? { place, size: 0, texts: null, kind: "task" } : null;
}
