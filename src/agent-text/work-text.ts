import type { OutputOf } from "../contract/index.ts";
import { counted } from "./counted.ts";
import type { Typed } from "./directions.ts";
import { plainLine } from "./text-element.ts";
import { span, when } from "./time-text.ts";

/** What an agent is working on, as its inbox says it. */
export type Work = OutputOf<"getInbox">["work"];

/** A line of this program that an agent is reminded with, once for each subject. */
export interface Reminder {
  readonly code: "pause_late" | "line_stale" | "brief_stale";
  /** The subject, so that it is not repeated. */
  readonly onceFor: string;
  readonly text: string;
}

const mostReminderBytes = 200;
const staleLineMs = 2 * 3_600_000;
const staleBriefMs = 3_600_000;
const manyMessages = 30;
const manyTasks = 3;

/** What the agent of a board is to be reminded of now. None if the board has reminders off. */
export function remindersOf(board: string, work: Work, now: number, typed: Typed): Reminder[] {
  if (!work.nudges) return [];
  return [
    ...latePause(board, work, now, typed),
    ...staleLine(board, work, now, typed),
    ...staleBrief(board, work, now, typed),
  ];
}

function latePause(board: string, { line }: Work, now: number, typed: Typed): Reminder[] {
  if (line?.kind !== "paused" || line.until === null) return [];
  const late = now - Date.parse(line.until);
  if (late < 0) return [];
  const fact = `Your pause on ${board} ended ${span(late)} ago.`;
  const text = withRemedy(fact, `Say what you do: ${typed('working "TEXT"')}`);
  return [{ code: "pause_late", onceFor: line.at, text }];
}

/** A status line that was set by a command, and after which neither a command nor the agent's task said anything. */
function staleLine(
  board: string,
  { line, current_task }: Work,
  now: number,
  typed: Typed,
): Reminder[] {
  if (line?.kind !== "working" || line.source !== "command") return [];
  const age = now - Date.parse(line.at);
  const stands = current_task?.stands;
  if (age < staleLineMs || (stands && stands.at > line.at)) return [];
  const fact = `Your status line on ${board} is ${span(age)} old.`;
  const text = withRemedy(fact, `Say what you do now: ${typed('working "TEXT"')}`);
  return [{ code: "line_stale", onceFor: line.at, text }];
}

/** The brief that the agent wrote, once much has happened since. */
function staleBrief(board: string, { brief }: Work, now: number, typed: Typed): Reminder[] {
  if (!brief || now - Date.parse(brief.at) < staleBriefMs) return [];
  const { messages_since, tasks_done_since, version } = brief;
  const reached = [
    ...(messages_since >= manyMessages ? ["messages"] : []),
    ...(tasks_done_since >= manyTasks ? ["tasks"] : []),
  ];
  if (reached.length === 0) return [];
  const behind = `${counted(messages_since, "message", "messages")} and ${counted(tasks_done_since, "closed task", "closed tasks")}`;
  const fact = `The brief of ${board}, which you wrote, is ${behind} behind.`;
  const text = withRemedy(fact, `Fetch it: ${typed("brief get")}`);
  return [{ code: "brief_stale", onceFor: `${version} ${reached.join(" ")}`, text }];
}

const size = (text: string): number => Buffer.byteLength(text);

/** A fact and a command, or the fact alone where the path of the program is too long. */
function withRemedy(fact: string, remedy: string): string {
  const both = `${fact} ${remedy}`;
  return size(both) <= mostReminderBytes ? both : fact;
}

/**
 * Says to an agent without a task that tasks of its board have no owner, or null. `board` is named where the reader may not know
 * which one is meant.
 */
export function notPickedUp(
  { current_task, open_tasks, oldest_open, nudges }: Work,
  typed: Typed,
  board?: string,
): string | null {
  if (!nudges || current_task || !oldest_open) return null;
  const where = board === undefined ? "" : ` on ${board}`;
  const [what, verb] = open_tasks === 1 ? ["task", "is"] : ["tasks", "are"];
  const fact = `${open_tasks} ${what}${where} ${verb} not picked up.`;
  return withRemedy(fact, `The oldest: ${typed(`task start ${oldest_open.ref}`)}`);
}

const mostPlaceBytes = 600;
const mostExcerpt = 160;

/** Where an agent finds itself on its board after an interruption, in lines that together have at most 600 bytes. */
export function whereItIs(
  boards: readonly { readonly board: string; readonly work: Work; readonly typed: Typed }[],
  now: number,
): string[] {
  const lines: string[] = [];
  for (const line of boards.flatMap((one) => workLines(one.board, one.work, now, one.typed)))
    if (size([...lines, line].join("\n")) <= mostPlaceBytes) lines.push(line);
  return lines;
}

function workLines(board: string, work: Work, now: number, typed: Typed): string[] {
  const { current_task: task, line, asks_to_it, asks_waiting } = work;
  return [
    ...(task
      ? [`Your task on ${board}: ${task.ref} ${cut(task.title)}. ${typed(`task show ${task.ref}`)}`]
      : []),
    ...(task?.stands
      ? [
          `Where it stands, by @${task.stands.by.name} ${span(now - Date.parse(task.stands.at))} ago: “${cut(task.stands.text)}”`,
        ]
      : []),
    ...(line
      ? [`Your status line on ${board}: ${line.kind}${untilOf(line)}, “${cut(line.text)}”`]
      : []),
    ...(asks_to_it + asks_waiting > 0
      ? [
          `Open asks on ${board}: ${asks_to_it} to you, ${asks_waiting} of yours. ${typed("ask --open")}`,
        ]
      : []),
  ];
}

const untilOf = ({ until }: NonNullable<Work["line"]>): string =>
  until === null ? "" : ` until ${when(until)}`;

/** The beginning of a text on one line. */
function cut(text: string): string {
  const characters = [...plainLine(text)];
  return characters.length > mostExcerpt
    ? `${characters.slice(0, mostExcerpt - 1).join("")}…`
    : characters.join("");
}
