import type { Static } from "@sinclair/typebox";
import { greatestSeq, mostTasksAbout } from "../../contract/limits.ts";
import { refuse } from "../../contract/refusal.ts";
import type { TaskTag } from "../../contract/tasks.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { postedAt } from "../../db/messages.ts";
import { currentTaskOf, tasksNumbered } from "../../db/tasks.ts";
import { taskCalled } from "../tasks/find-task.ts";
import { referencesIn } from "./references.ts";

type Tag = Static<typeof TaskTag>;
type Named = Pick<Tag, "id" | "ref">;

/** The parts of a new message that decide which tasks it is about. */
interface Said {
  readonly body: string;
  /** The tasks that the sender selected. With an empty list neither the thread nor the sender adds a task. */
  readonly about?: readonly string[];
  /** The place of the message that it answers, which the sender may read. */
  readonly answered: number | null;
}

/**
 * The tasks that a message is about, each once, with the first source that names it. The first source is the sender's
 * selection, else the tasks of the answered message, else the sender's current task. References in the text come after
 * these. Refuses a selector that names no task, and more than eight tasks.
 */
export function tasksAbout(tx: ReadTx, board: BoardRow, sender: MemberRow, said: Said): Tag[] {
  const { body, about } = said;
  // A board without a prefix never had a task, so only the selection is looked up.
  if (board.task_prefix === null && !about?.length) return [];
  const found = new Map<string, Tag>();
  const add =
    (how: Tag["how"]) =>
    ({ id, ref }: Named) => {
      if (!found.has(id)) found.set(id, { id, ref, how });
    };
  if (about) about.map((selector) => taskCalled(tx, board, selector)).forEach(add("given"));
  else {
    const ofThread = said.answered === null ? [] : (postedAt(tx, said.answered).data.about ?? []);
    ofThread.forEach(add("thread"));
    const current =
      ofThread.length === 0 && sender.kind === "agent" && currentTaskOf(tx, sender.row);
    if (current) add("current")(current);
  }
  namedTasks(tx, board, body).forEach(add("named"));
  if (found.size > mostTasksAbout)
    throw refuse("invalid_combination", {
      problem: `the message is about ${found.size} tasks; at most ${mostTasksAbout} are allowed`,
    });
  return [...found.values()];
}

/** The board's tasks whose references are in a text, in the order of first appearance. */
function namedTasks(tx: ReadTx, board: BoardRow, body: string): Named[] {
  const written = new Map(
    referencesIn(body).map((reference) => {
      const ref = reference.toUpperCase();
      return [ref, Number(ref.slice(ref.indexOf("-") + 1))];
    }),
  );
  if (written.size === 0) return [];
  const numbers = new Set([...written.values()].filter((number) => number <= greatestSeq));
  const known = new Map(
    tasksNumbered(tx, board.row, [...numbers]).map((task) => [task.ref, task] as const),
  );
  return [...written.keys()].flatMap((ref) => known.get(ref) ?? []);
}
