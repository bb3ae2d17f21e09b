import type { Answer } from "../frame/command.ts";
import { oneLine } from "../terminal/clean.ts";
import type { Candidate } from "../../client/machine/shown-nudges.ts";
import { lineText } from "../agents/status-line-text.ts";
import type { Task } from "./task-text.ts";
import { bold } from "../terminal/style.ts";
import { lineOf, remindersOf, type TaskName } from "./beside-change.ts";
import type { Place } from "../acting/place-of.ts";

interface More {
  /** After a task was closed: the oldest that nobody owns. */
  readonly next?: TaskName | null;
  /** What the caller may be reminded of. */
  readonly reminders?: readonly Candidate[];
  /** Whether the text says what the agent's line is now. */
  readonly showsLine?: boolean;
}

/** What a command answers that changed a task. `done` says what it did, such as `Started`. */
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
