import type { Answer } from "../command.ts";
import { oneLine } from "../clean.ts";
import type { Task } from "../render/task.ts";
import { bold } from "../style.ts";
import type { TaskPlace } from "./place.ts";

interface TaskName {
  readonly id: string;
  readonly ref: string;
  readonly title: string;
}
interface Nudge {
  readonly code: string;
  readonly text: string;
}
interface More {
  /** After a task was closed: the oldest that nobody owns. */
  readonly next?: TaskName | null;
  readonly nudges?: readonly Nudge[];
}

/** What a command answers that changed a task. `done` says what it did, such as `Started`. */
export function changedTask(
  { board }: TaskPlace,
  task: Task,
  done: string,
  { next = null, nudges = [] }: More = {},
): Answer {
  return {
    json: { board, task, line: null, next, nudges },
    text: [
      `${done} ${bold(task.ref)} on ${bold(board)}: ${oneLine(task.title)}`,
      ...nudges.map(({ text }) => text),
    ].join("\n"),
  };
}
