import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { kept } from "../../core/screen/kept.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { canOpenTasks, withQuery } from "../../core/talk/message-acts.ts";
import { addressOf, go, query, type BoardPlace } from "../../core/screen/router.ts";
import { start } from "../../core/tasks/task-acts.ts";
import { isClosed, taskListOf, type Task, type TaskList } from "../../core/tasks/tasks.ts";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Failed } from "../../parts/problem.tsx";
import { TabActs } from "../../parts/frame/tab-acts.tsx";
import { Bar } from "./bar.tsx";
import { Closing, type AskedFor } from "./closing.tsx";
import { Columns, List, type Older } from "./shown.tsx";
import { filterOf, groupsOf, type Filter } from "./sorted.ts";
import { NewTask } from "./new-task.tsx";
import { TaskPanel } from "./panel.tsx";

/** The tasks of a board as a list or in columns, and the one that is opened beside them. */
export function Tasks({ place: { board, item } }: { place: BoardPlace }) {
  const list = taskListOf(board);
  const layout = kept("tasks-layout", "list");
  const [isNew, setNew] = useState(false);
  const [asked, setAsked] = useState<AskedFor | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const mayAct = canOpenTasks(board);
  const { opened, find } = openedIn(list, item);
  const last = useRef<string | null>(null);
  useLayoutEffect(() => {
    // The focus returns to the row of the task that was open last, whichever row it began at.
    if (item === null && last.current !== null)
      rowOf(box.current, last.current)?.focus({ preventScroll: true });
    last.current = opened?.ref ?? item;
  }, [item, opened?.ref]);
  // A row that an act has moved to another group keeps the focus.
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const row = focused.current;
    if (!row || row.isConnected || document.activeElement !== document.body) return;
    rowOf(box.current, row.dataset["task"]!)?.focus({ preventScroll: true });
  });
  /** The task that keys are about: the one that has the focus, else the one that is open. */
  const meant = (): Task | undefined => {
    const row = document.activeElement?.closest<HTMLElement>("[data-task]");
    return row ? find(row.dataset["task"]!) : opened;
  };
  const onMeant = (run: (task: Task) => void) => () => {
    const task = meant();
    if (!task || !mayAct || isClosed(task)) return false;
    run(task);
    return;
  };
  const swap = () => {
    layout.value = layout.value === "list" ? "columns" : "list";
  };
  useKeys({
    j: () => step(box.current, 1),
    k: () => step(box.current, -1),
    ArrowDown: () => isRow() && step(box.current, 1),
    ArrowUp: () => isRow() && step(box.current, -1),
    v: swap,
    c: () => (mayAct ? setNew(true) : false),
    s: onMeant((task) => void (task.state === "open" && start(task))),
    d: onMeant((task) => setAsked({ kind: "done", task })),
  });
  const filter = filterOf(query.value);
  const groups = groupsOf(list.tasks.value, filter);
  const Shown = layout.value === "columns" ? Columns : List;
  return (
    <>
      <TabActs>
        <Layouts layout={layout.value} onChoose={(one) => (layout.value = one)} />
        {mayAct && (
          <button class="b" type="button" onClick={() => setNew(true)}>
            <Icon name="plus" small />
            New task <kbd>C</kbd>
          </button>
        )}
      </TabActs>
      <Bar list={list} onNew={mayAct ? () => setNew(true) : null} />
      <div
        class="tasks-at"
        ref={box}
        onFocusIn={({ target }) => {
          focused.current = target instanceof HTMLElement && target.dataset["task"] ? target : null;
        }}
      >
        <Body list={list}>
          <Shown
            groups={groups}
            board={board}
            shown={opened?.ref ?? item}
            older={olderOf(list, filter)}
            onNew={mayAct ? () => setNew(true) : null}
          />
        </Body>
      </div>
      {item !== null && (
        <TaskPanel key={item} list={list} selector={item} task={opened} onAsk={setAsked} />
      )}
      {isNew && (
        <NewTask
          board={board}
          onClose={() => setNew(false)}
          onOpened={(task) => go(withQuery(addressOf(board, "tasks", task.ref)))}
        />
      )}
      {asked && <Closing {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** The closed tasks that are not held, as far as a filter may let them through. */
function olderOf(list: TaskList, { show, owner }: Filter): Older | null {
  if (!list.hasOlder.value || show === "held") return null;
  const { done, cancelled } = list.counts.value;
  const isAll = show === "all" && owner === null;
  const held = list.tasks.value.filter(isClosed).length;
  return { count: isAll ? Math.max(0, done + cancelled - held) : null, load: list.loadOlder };
}

/** Finds tasks by what an address or a row says: a reference in any case, a number or an id. */
function openedIn(list: TaskList, item: string | null) {
  const tasks = list.tasks.value;
  const find = (selector: string) =>
    tasks.find(
      ({ ref, id, number }) =>
        ref === selector.toUpperCase() || id === selector || String(number) === selector,
    );
  return { opened: item === null ? undefined : find(item), find };
}

const rowOf = (box: HTMLElement | null, ref: string) =>
  box?.querySelector<HTMLElement>(`[data-task="${CSS.escape(ref)}"]`);

const isRow = (): boolean => Boolean(document.activeElement?.closest("[data-task]"));

/** Moves the focus by rows. Without one it begins at the opened task, or at the end that it comes from. */
function step(box: HTMLElement | null, by: 1 | -1): false | void {
  const rows = [...(box?.querySelectorAll<HTMLElement>("[data-task]") ?? [])];
  if (rows.length === 0) return false;
  const focused = rows.indexOf(document.activeElement as HTMLElement);
  const from = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent !== null);
  const next = from < 0 ? (by === 1 ? 0 : rows.length - 1) : from + by;
  const row = rows[Math.min(Math.max(next, 0), rows.length - 1)]!;
  row.focus();
  row.scrollIntoView({ block: "nearest" });
}

function Layouts({ layout, onChoose }: { layout: string; onChoose: (one: string) => void }) {
  const choices = [
    { name: "list", label: "List", icon: "list" },
    { name: "columns", label: "Columns", icon: "cols" },
  ] as const;
  return (
    <div class="seg" role="group" aria-label="Layout (V)">
      {choices.map(({ name, label, icon }) => (
        <button
          key={name}
          type="button"
          aria-label={label}
          aria-pressed={layout === name}
          onClick={() => onChoose(name)}
        >
          <Icon name={icon} small />
        </button>
      ))}
    </div>
  );
}

function Body({ list, children }: { list: TaskList; children: preact.ComponentChildren }) {
  const state = list.state.value;
  if (list.tasks.value.length > 0 || state === "ready") return <>{children}</>;
  if (state === "loading") return <Bones what="tasks" />;
  return (
    <Failed what="The tasks could not be read." error={state} again={() => void list.load()} />
  );
}
