import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { OutputOf } from "../../../contract/index.ts";
import { mostListed } from "../../../contract/limits.ts";
import { api } from "../connection/api.ts";
import { boardOf, type Loaded, type LogEvent } from "../boards/board.ts";
import { connection } from "../connection/live.ts";
import { me } from "../boards/overview.ts";

export type Task = OutputOf<"getTask">;
export type TaskMember = NonNullable<Task["owner"]>;
type Counts = OutputOf<"listTasks">["counts"];

/** What this page holds of a board's tasks. It follows the board's news. */
export interface TaskList {
  readonly board: string;
  readonly state: ReadonlySignal<Loaded>;
  /** In the order of their numbers. */
  readonly tasks: ReadonlySignal<readonly Task[]>;
  /** How many tasks of each state the board has, those that are not held included. */
  readonly counts: ReadonlySignal<Counts>;
  /** Whether there are closed tasks that are not held. */
  readonly hasOlder: ReadonlySignal<boolean>;
  load(): Promise<void>;
  /** Reads closed tasks that are not held, those with the greatest numbers first. Throws what stands in the way. */
  loadOlder(): Promise<void>;
  /** Takes in a task as the server answered with it, or as it will probably be. */
  take(task: Task): void;
  /** Reads one task again. Gives it, or null without an answer. */
  refresh(selector: string): Promise<Task | null>;
}

const closedStates = ["done", "cancelled"] as const;
/** If more tasks than these are stale, the whole list is read again. */
const mostAlone = 6;
const none: Counts = { open: 0, in_progress: 0, done: 0, cancelled: 0, blocked: 0 };

const lists = new Map<string, TaskList>();

/** The tasks of a board. They are loaded when they are first asked for, and follow the news from then on. */
export function taskListOf(board: string): TaskList {
  const known = lists.get(board);
  if (known) return known;
  const made = openTasks(board);
  lists.set(board, made);
  return made;
}

/** Forgets all tasks, since another person may sign in. */
export function forgetTasks(): void {
  lists.clear();
}

function openTasks(board: string): TaskList {
  const state = signal<Loaded>("loading");
  const byId = signal<ReadonlyMap<string, Task>>(new Map());
  const counted = signal(none);
  /** The states of closed tasks of which some are not held, with the smallest number that is. */
  const older = signal<ReadonlyMap<(typeof closedStates)[number], number>>(new Map());
  const hasOlder = computed(() => older.value.size > 0);
  const tasks = computed(() =>
    [...byId.value.values()].sort((one, other) => one.number - other.number),
  );
  const counts = computed(() => (hasOlder.value ? counted.value : countsOf(tasks.value)));

  const list = (state: "all" | "active" | (typeof closedStates)[number], before?: number) =>
    api.call("listTasks", {
      params: { board },
      query: { state, newest: true, limit: mostListed, ...(before && { before }) },
    });

  async function load(): Promise<void> {
    try {
      const all = await list("all");
      counted.value = all.counts;
      if (all.more) await loadApart();
      else {
        byId.value = new Map(all.tasks.map((task) => [task.id, task]));
        older.value = new Map();
      }
      state.value = "ready";
    } catch (error) {
      state.value = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Reads every task that is not closed, and of the closed ones a page of each state. */
  async function loadApart(): Promise<void> {
    // A closed task stays as it is, so those that are held already are kept.
    const found = tasks.value.filter(isClosed);
    const known = found.length > 0;
    for (let before: number | undefined; ;) {
      const page = await list("active", before);
      found.push(...page.tasks);
      if (!page.more) break;
      before = smallest(page.tasks);
    }
    const next = new Map(older.value);
    for (const each of closedStates) {
      const page = await list(each);
      found.push(...page.tasks);
      if (page.more && !known) next.set(each, smallest(page.tasks));
    }
    byId.value = new Map(found.map((task) => [task.id, task]));
    older.value = next;
  }

  async function loadOlder(): Promise<void> {
    for (const [each, before] of older.value) {
      const page = await list(each, before);
      byId.value = new Map([
        ...byId.value,
        ...page.tasks.map((task): [string, Task] => [task.id, task]),
      ]);
      const next = new Map(older.value);
      if (page.more) next.set(each, smallest(page.tasks));
      else next.delete(each);
      older.value = next;
    }
  }
  const loading = load();
  // What could not be read is read again when a lost connection is back.
  let wasLost = false;
  connection.subscribe((now) => {
    if (now.state === "live" && wasLost && state.peek() instanceof Error) void load();
    wasLost = now.state === "lost";
  });

  const take = (task: Task) => {
    byId.value = new Map(byId.value).set(task.id, task);
  };

  async function refresh(task: string): Promise<Task | null> {
    const fresh = await api.call("getTask", { params: { board, task } }).catch(() => null);
    if (fresh) take(fresh);
    return fresh;
  }

  /** Counts the tasks again, those that are not held included. */
  async function count(): Promise<void> {
    const query = { limit: 1 };
    counted.value = (await api.call("listTasks", { params: { board }, query })).counts;
  }

  /** The last event whose news this list has. Some events come twice. */
  let last = 0;
  boardOf(board).onNews(async (events) => {
    await loading;
    const news = events.filter(({ seq }) => seq > last);
    last = Math.max(last, ...news.map(({ seq }) => seq));
    const stale = staleBy(news, tasks.value);
    if (stale.size > mostAlone || (stale.size > 0 && state.value !== "ready")) return load();
    await Promise.all([...stale].map(refresh));
    if (stale.size > 0 && hasOlder.value) await count();
  });

  return { board, state, tasks, counts, hasOlder, load, loadOlder, take, refresh };
}

const smallest = (tasks: readonly Task[]): number => Math.min(...tasks.map(({ number }) => number));

function countsOf(tasks: readonly Task[]): Counts {
  const counts = { ...none };
  for (const { state, blocked } of tasks) {
    if (state in counts) counts[state]++;
    if (blocked) counts.blocked++;
  }
  return counts;
}

/** The ids of the tasks that events have changed, or of which they change what is counted. */
function staleBy(events: readonly LogEvent[], tasks: readonly Task[]): Set<string> {
  const stale = new Set<string>();
  for (const { type, data } of events) {
    if (type.startsWith("task.") && typeof data?.["task_id"] === "string")
      stale.add(data["task_id"]);
    if (type !== "message.posted") continue;
    for (const id of idsIn(data?.["about"])) stale.add(id);
    // An answer may lift what holds a task up, whatever the answer itself is about. So may one that is not shown here.
    const answered = (data?.["answer"] as { ask_id?: string } | undefined)?.ask_id;
    if (answered === undefined && data) continue;
    for (const { id, blocked, blocked_on } of tasks)
      if (blocked && (!data || blocked_on.some(({ ask_id }) => ask_id === answered))) stale.add(id);
  }
  return stale;
}

const idsIn = (about: unknown): string[] =>
  Array.isArray(about) ? about.map((one: { id: string }) => one.id) : [];

/** Whether a member is the person who reads. */
export const isMe = ({ kind, name, origin }: TaskMember): boolean =>
  kind === "human" && origin === undefined && name === me.value;

/** Whether the person owns a task or helps on it. */
export const isOn = ({ owner, with: helpers }: Task): boolean =>
  (owner !== null && isMe(owner)) || helpers.some(isMe);

/** Whether a task is done or cancelled. */
export const isClosed = ({ state }: Task): boolean => state === "done" || state === "cancelled";

/** What holds a task up and is to be said first: what waits for the reader, else the oldest. */
export const heldBy = ({ blocked_on }: Task) =>
  blocked_on.find(({ to }) => isMe(to)) ?? blocked_on[0] ?? null;
