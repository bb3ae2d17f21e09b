import { useState } from "preact/hooks";
import { withQuery } from "../../core/talk/message-acts.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { addressOf, go, query } from "../../core/screen/router.ts";
import type { Task } from "../../core/tasks/tasks.ts";
import { toast } from "../../core/screen/toasts.ts";
import { Icon } from "../../parts/icon.tsx";
import { filterOf, type Groups } from "./sorted.ts";
import { Card, Row } from "./row.tsx";

/** So many closed tasks are shown at first, and so many more each time that the reader asks for more. */
const closedAtFirst = 20;
const closedEachTime = 200;

/** Closed tasks that this page does not hold. */
export interface Older {
  /** How many there are. Null where a filter leaves open how many of them pass. */
  readonly count: number | null;
  load(): Promise<void>;
}

interface ShownProps {
  readonly groups: Groups;
  readonly board: string;
  /** The reference of the task that is opened beside them. */
  readonly shown: string | null;
  /** Opens a task. Null where the reader may not. */
  readonly onNew: (() => void) | null;
  /** Null if every task is held. */
  readonly older: Older | null;
}

/** The groups of tasks with their titles, and with how many there are. */
function titled({ open, running, closed }: Groups, older: Older | null) {
  const held = running.filter(({ blocked }) => blocked).length;
  const closedInAll = closed.length + (older?.count ?? 0);
  return [
    { name: "Open", tasks: open, count: `${open.length}` },
    {
      name: "In progress",
      tasks: running,
      count: `${running.length}${held > 0 ? `, ${held} held up` : ""}`,
    },
    {
      name: "Closed",
      tasks: closed,
      count: `${closedInAll.toLocaleString("en-GB")}${older && older.count === null ? " or more" : ""}`,
      older,
    },
  ];
}

const isEmpty = ({ open, running, closed }: Groups, older: Older | null): boolean =>
  open.length + running.length + closed.length === 0 && older === null;

/** The tasks one below the other. Groups without a task are left out. */
export function List({ groups, board, shown, onNew, older }: ShownProps) {
  if (isEmpty(groups, older)) return <Nothing onNew={onNew} />;
  return (
    <div class="scroll" tabIndex={-1}>
      <div class="tasks">
        {titled(groups, older).map(
          (group) =>
            (group.tasks.length > 0 || group.older) && (
              <section key={group.name} aria-label={group.name}>
                <h2 class="grp">
                  {group.name} <span class="num">{group.count}</span>
                </h2>
                <Cut {...group} shown={shown} board={board} As={Row} />
              </section>
            ),
        )}
      </div>
    </div>
  );
}

/** The tasks in three columns. */
export function Columns({ groups, board, shown, onNew, older }: ShownProps) {
  if (isEmpty(groups, older)) return <Nothing onNew={onNew} />;
  return (
    <div class="cols">
      {titled(groups, older).map((group) => (
        <section key={group.name} aria-label={group.name} tabIndex={-1}>
          <h2 class="grp">
            {group.name} <span class="num">{group.count}</span>
          </h2>
          <Cut {...group} shown={shown} board={board} As={Card} />
        </section>
      ))}
    </div>
  );
}

/** Tasks of a group. With `older` they are closed ones: the newest, until the reader asks for more. */
function Cut({
  tasks,
  older,
  shown,
  board,
  As,
}: {
  tasks: readonly Task[];
  older?: Older | null;
  shown: string | null;
  board: string;
  As: typeof Row;
}) {
  const [most, setMost] = useState(closedAtFirst);
  const [isLoading, setLoading] = useState(false);
  const part = older === undefined ? tasks : tasks.slice(0, most);
  const rest = tasks.length - part.length;
  const inAll = older?.count === null ? null : rest + (older?.count ?? 0);
  const showMore = async () => {
    if (isLoading) return;
    if (older && rest < closedEachTime) {
      setLoading(true);
      try {
        await older.load();
      } catch (error) {
        toast({ text: sentenceOf(error), isError: true });
      } finally {
        setLoading(false);
      }
    }
    setMost(part.length + closedEachTime);
  };
  return (
    <>
      <ul class="tl">
        {part.map((task) => (
          <As
            key={task.id}
            task={task}
            href={withQuery(addressOf(board, "tasks", task.ref))}
            isShown={task.ref === shown}
          />
        ))}
      </ul>
      {(rest > 0 || older) && (
        <p class="foot">
          <button class="b q" type="button" aria-busy={isLoading} onClick={() => void showMore()}>
            {inAll === null ? "Show more" : `${inAll.toLocaleString("en-GB")} more`}
          </button>
        </p>
      )}
    </>
  );
}

function Nothing({ onNew }: { onNew: (() => void) | null }) {
  const { show, owner } = filterOf(query.value);
  if (show !== "all" || owner !== null)
    return (
      <div class="blank">
        <Icon name="filter" />
        <h2>No task is like that</h2>
        <p class="act">
          <button class="b" type="button" onClick={() => go(location.pathname)}>
            Show all tasks
          </button>
        </p>
      </div>
    );
  return (
    <div class="blank">
      <Icon name="task" />
      <h2>No task is open</h2>
      <p class="muted">
        {onNew
          ? "Open one, or let an agent do it: “make tasks of the list above”."
          : "The tasks of this board will stand here."}
      </p>
      {onNew && (
        <p class="act">
          <button class="b" type="button" onClick={onNew}>
            New task <kbd>C</kbd>
          </button>
        </p>
      )}
    </div>
  );
}
