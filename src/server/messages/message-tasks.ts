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

/** What of a message says which tasks it is about. */
interface Said {
  readonly body: string;
  /** Selectors that were given with it; an empty list leaves out what would follow from thread and sender. */
  readonly about?: readonly string[];
  /** The place of the message that it answers, which the sender may read. */
  readonly answered: number | null;
}

/**
 * The tasks that a message is about, each once, by the first source that names it: those given, else those of the
 * message answered, else the sender's current one; then those that its text names. Refuses a selector that names no
 * task, and more tasks than eight.
 */
export function tasksAbout(tx: ReadTx, board: BoardRow, sender: MemberRow, said: Said): Tag[] {
  const { body, about } = said;
  // A board without a prefix has had no task, so only what was given is looked for.
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
      problem: `the message is about ${found.size} tasks, and ${mostTasksAbout} are the most`,
    });
  return [...found.values()];
}

/** The tasks of the board that a text names by their references, in the order in which it first does. */
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
