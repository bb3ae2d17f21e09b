import type { Answer } from "../frame/command.ts";
import { oneLine } from "../terminal/clean.ts";
import type { Candidate } from "../../client/machine/shown-nudges.ts";
import { lineText } from "../agents/status-line-text.ts";
import type { Task } from "./task-text.ts";
import { bold } from "../terminal/style.ts";
import { lineOf, remindersOf, type TaskName } from "./task-nudges.ts";
import type { Place } from "../acting/place-of.ts";

interface More {
  /** The oldest task without an owner, after a task was closed. */
  readonly next?: TaskName | null;
  /** The nudges that may be due. */
  readonly reminders?: readonly Candidate[];
  /** Whether the text shows the agent's status line. */
  readonly showsLine?: boolean;
}

/** The answer of a command that changed a task. `done` names the change, such as `Started`. */
export async function changedTask(
  place: Place,
  task: Task,
  done: string,
  { next = null, reminders = [], showsLine = false }: More = {},
): Promise<Answer> {
  const { actor, board } = place;
  const [own, nudges] = await Promise.all([lineOf(place), remindersOf(place, reminders)]);
  const { line, state } = own ?? { line: null, state: null };
  return {
    json: { board, task, line, next, nudges },
    text: [
      `${done} ${bold(task.ref)} on ${bold(board)}: ${oneLine(task.title)}`,
      ...(showsLine && line && actor.kind === "agent"
        ? [`  ${actor.seat.name} is ${lineText(line, state)}`]
        : []),
      ...nudges.map(({ text }) => text),
    ].join("\n"),
  };
}
