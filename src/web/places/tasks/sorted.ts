import { heldBy, isClosed, isMe, isOn, type Task } from "../../core/tasks/tasks.ts";

/** Which tasks are shown, as the address says it. */
export interface Filter {
  readonly show: "all" | "mine" | "held";
  /** The name of an owner, or null for everybody's. */
  readonly owner: string | null;
}

/** The filter that the words after the `?` of an address mean. */
export function filterOf(query: URLSearchParams): Filter {
  const show = query.get("show");
  return { show: show === "mine" || show === "held" ? show : "all", owner: query.get("owner") };
}

const passes = (task: Task, { show, owner }: Filter): boolean =>
  (show !== "mine" || isOn(task)) &&
  (show !== "held" || (task.blocked && !isClosed(task))) &&
  (owner === null || task.owner?.name === owner);

/** Tasks in the groups in which they are shown. */
export interface Groups {
  readonly open: readonly Task[];
  readonly running: readonly Task[];
  readonly closed: readonly Task[];
}

/** What waits for the reader comes first, then what waits for others, then the rest. */
const rank = (task: Task): number => {
  const held = heldBy(task);
  return held && isMe(held.to) ? 0 : task.blocked ? 1 : 2;
};

/** The tasks that pass a filter: open ones oldest first, running ones by what they wait for, closed ones newest first. */
export function groupsOf(tasks: readonly Task[], filter: Filter): Groups {
  const shown = tasks.filter((task) => passes(task, filter));
  const closedAt = ({ closed_at, updated_at }: Task) => Date.parse(closed_at ?? updated_at);
  return {
    open: shown.filter(({ state }) => state === "open"),
    running: shown
      // A state that this page does not know is none of the others.
      .filter((task) => task.state !== "open" && !isClosed(task))
      .sort((one, other) => rank(one) - rank(other)),
    closed: shown
      .filter(isClosed)
      .sort((one, other) => closedAt(other) - closedAt(one) || other.number - one.number),
  };
}

/** The names of those who own a task, in order. */
export const ownersOf = (tasks: readonly Task[]): string[] =>
  [...new Set(tasks.flatMap(({ owner }) => (owner ? [owner.name] : [])))].sort();
