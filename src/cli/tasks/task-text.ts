import type { OutputOf } from "../../contract/index.ts";
import { clean, oneLine } from "../terminal/clean.ts";
import { bold, cyan, dim, yellow } from "../terminal/style.ts";
import { columns, counted } from "../terminal/table.ts";
import type { Typed } from "../frame/suggest.ts";
import { header, messageBlocks } from "../messages/message-text.ts";
import type { Message, Reader } from "../messages/message-types.ts";
import { when } from "../terminal/time-text.ts";

export type Task = OutputOf<"getTask">;
type TaskList = OutputOf<"listTasks">;
type TaskText = NonNullable<Task["stands"]>;

const groups = [
  { title: "Not picked up", has: ({ state }: Task) => state === "open" },
  { title: "In progress", has: ({ state }: Task) => state === "in_progress" },
  { title: "Closed", has: ({ closed_at }: Task) => closed_at !== null },
];

/** A board's tasks: the counts, then each group with its tasks. */
export function taskListText({ board, tasks, counts, more }: TaskList, rest: string): string {
  const closed = counts.done + counts.cancelled;
  const head = header(
    board,
    `${counts.open} not picked up`,
    `${counts.in_progress} in progress`,
    ...(counts.blocked ? [yellow(`${counts.blocked} blocked`)] : []),
    `${closed} closed`,
  );
  const shown = groups.flatMap(({ title, has }) => {
    const own = tasks.filter(has);
    return own.length ? [dim(title), columns(own.map(rowOf))] : [];
  });
  return [head, ...shown, ...(more ? [`There are more: ${rest}`] : [])].join("\n");
}

const rowOf = (task: Task): string[] => [
  bold(task.ref),
  oneLine(task.title),
  peopleOf(task),
  ...(task.blocked ? [yellow("blocked")] : []),
  ...(task.state === "cancelled" ? [dim("cancelled")] : []),
];

const named = (members: readonly { readonly name: string }[]) =>
  members.map(({ name }) => cyan(`@${oneLine(name)}`)).join(", ");

function peopleOf({ owner, with: helpers }: Task): string {
  const parts = [
    ...(owner ? [named([owner])] : []),
    ...(helpers.length ? [`with ${named(helpers)}`] : []),
  ];
  return parts.join(" ");
}

/** Task states as the output words them. */
export const states: Record<Task["state"], string> = {
  open: "not picked up",
  in_progress: "in progress",
  done: "done",
  cancelled: "cancelled",
};

/** One task: its people, subject, progress and what blocks it. */
export function taskText(task: Task): string {
  const { ref, title, state, about, stands, opened_by, opened_at } = task;
  const people = peopleOf(task);
  return [
    header(ref, oneLine(title)),
    `  ${[states[state], ...(people ? [people] : [])].join(dim(" · "))}`,
    `  ${dim(`opened by @${oneLine(opened_by.name)} · ${when(opened_at)}`)}`,
    ...(about ? partOf("About", about) : []),
    ...(stands ? partOf("Where it stands", stands) : []),
    ...blockedOn(task),
    ...(task.closed_note === null ? [] : [dim("Closed"), indented(task.closed_note)]),
  ].join("\n");
}

/** The asks that block a task. Asks that the reader may not read are only counted. */
function blockedOn({ blocked_on, blocked_count }: Task): string[] {
  const hidden = blocked_count - blocked_on.length;
  if (blocked_count === 0) return [];
  return [
    yellow("Blocked on"),
    ...blocked_on.map(
      ({ ask_seq, from, to, since }) =>
        `    ${bold(`#${ask_seq}`)} ${named([from])} asks ${named([to])}${dim(` · since ${when(since)}`)}`,
    ),
    ...(hidden > 0
      ? [`    ${counted(hidden, "question", "questions")} that you may not read`]
      : []),
  ];
}

const shownMessages = 5;

/** The messages about a task: their number, and the newest of them. */
export function conversationText(
  { ref, message_count, thread_count }: Task,
  messages: readonly Message[],
  reader: Reader,
  typed: Typed,
): string[] {
  if (messages.length === 0) return [];
  const said = `${counted(message_count, "message", "messages")} in ${counted(thread_count, "thread", "threads")}`;
  const newest = messages.slice(-shownMessages);
  const all = reader === "agent" && newest.length < message_count;
  return [
    dim(`Conversation · ${said}`),
    messageBlocks(newest, reader),
    ...(all ? [dim(`All of it: ${typed(`read --task ${ref}`)}`)] : []),
  ];
}

const partOf = (title: string, { text, by, at, version, messages_since }: TaskText): string[] => [
  dim(
    [
      `${title} · version ${version} by @${oneLine(by.name)}`,
      when(at),
      ...(messages_since ? [`${counted(messages_since, "message", "messages")} since`] : []),
    ].join(" · "),
  ),
  indented(text),
];

const indented = (text: string): string =>
  clean(text)
    .split("\n")
    .map((line) => `    ${line}`.trimEnd())
    .join("\n");
