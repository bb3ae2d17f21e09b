import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { greatestSeq } from "../../../contract/limits.ts";
import { api } from "../connection/api.ts";
import { boardOf, type LogEvent } from "../boards/board.ts";
import { talkOf } from "./talk.ts";
import { taskListOf, type Task, type TaskList } from "../tasks/tasks.ts";

export type TaskKnown = Pick<Task, "ref" | "title" | "state">;

/** The tasks of a board by their references. */
type Tasks = ReadonlyMap<string, TaskKnown>;

const byReference = new WeakMap<TaskList, ReadonlySignal<Tasks>>();
const files = new Map<string, ReadonlySignal<ReadonlyMap<string, string>>>();

/** A list that is read when it is first asked for, and again when the log says that it changed. */
function kept<T>(
  board: string,
  empty: T,
  isNews: (event: LogEvent) => boolean,
  read: () => Promise<T>,
): ReadonlySignal<T> {
  const list = signal(empty);
  let last = 0;
  // Without an answer what is known stays, and the next news reads it again.
  const readIt = () =>
    void read().then(
      (found) => (list.value = found),
      () => {},
    );
  boardOf(board).onNews((events) => {
    const news = events.filter((event) => event.seq > last && isNews(event));
    last = Math.max(last, ...news.map(({ seq }) => seq));
    if (news.length > 0) readIt();
  });
  readIt();
  return list;
}

/** The tasks of a board as references in texts need them: which there are, their titles and states. */
export function tasksOf(board: string): Tasks {
  const list = taskListOf(board);
  let tasks = byReference.get(list);
  if (!tasks) {
    tasks = computed(() => new Map(list.tasks.value.map((task) => [task.ref, task])));
    byReference.set(list, tasks);
  }
  return tasks.value;
}

/** The names of a board's files by their ids. */
export function fileNamesOf(board: string): ReadonlyMap<string, string> {
  let list = files.get(board);
  if (!list) {
    list = kept<ReadonlyMap<string, string>>(
      board,
      new Map(),
      ({ type }) => type.startsWith("file."),
      async () => {
        const found = await api.call("listFiles", { params: { board }, query: { limit: 200 } });
        return new Map(found.files.map(({ id, name }) => [id, name]));
      },
    );
    files.set(board, list);
  }
  return list.value;
}

/** Numbers of messages that were looked up, by board and number. */
const looked = new Map<string, ReadonlySignal<boolean>>();
/** A text can name any number of numbers. Beyond so many the page asks for no more, and they stay plain text. */
const mostLooked = 200;

/** Whether a board has a message of this number. It is looked up when it is not held, and is unknown until then. */
export function isMessage(board: string, seq: number): boolean {
  if (talkOf(board).messages.value.some((one) => one.seq === seq)) return true;
  const key = `${board} ${seq}`;
  const known = looked.get(key);
  if (known) return known.value;
  if (looked.size >= mostLooked || seq < 1 || seq >= greatestSeq) return false;
  const found = signal(false);
  looked.set(key, found);
  const query = { after: seq - 1, before: seq + 1, limit: 1 };
  api.call("listMessages", { params: { board }, query }).then(
    ({ messages }) => (found.value = messages.length > 0),
    () => {},
  );
  return false;
}
