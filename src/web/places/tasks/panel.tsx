import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { boardOf } from "../../core/boards/board.ts";
import { canOpenTasks, withQuery } from "../../core/talk/message-acts.ts";
import { copy, copyLinkTo } from "../../core/screen/copy.ts";
import { addressOf } from "../../core/screen/router.ts";
import { drop, rewrite } from "../../core/tasks/task-acts.ts";
import { isClosed, isMe, isOn, type Task, type TaskList } from "../../core/tasks/tasks.ts";
import { whenOf } from "../../core/screen/time.ts";
import { Icon } from "../../parts/icon.tsx";
import { AgentState } from "../../parts/agent-state.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { MenuButton, type MenuItem } from "../../parts/menu.tsx";
import { Panel } from "../../parts/frame/panel.tsx";
import { Written } from "../../parts/text/text.tsx";
import { Mark, Name, named, visible, Whose } from "../../parts/who.tsx";
import { About, FilesOf, HoldsUp, Said, Stands } from "./sections.tsx";
import { Acts, TakePart } from "./acts.tsx";
import type { AskedFor } from "./closing.tsx";
import { lookOf, StateMark } from "./row.tsx";
import { OneLine } from "./writing.tsx";

/** A task beside the list: who is on it, what holds it up, where it stands, and what can be done about it. */
export function TaskPanel({
  list,
  selector,
  task,
  onAsk,
}: {
  list: TaskList;
  /** The task as the address names it. */
  selector: string;
  /** Undefined while it is not held. */
  task: Task | undefined;
  onAsk: (asked: AskedFor) => void;
}) {
  const [isMissing, setMissing] = useState(false);
  const [isRenamed, setRenamed] = useState(false);
  const state = list.state.value;
  // A list that does not hold all of a board's tasks may miss this one.
  useEffect(() => {
    if (task || state === "loading") return;
    void list.refresh(selector).then((found) => setMissing(found === null));
  }, [state, task === undefined]);
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // Whoever opened it from its row goes on here. The panel, which is a part of this, has noted where they came from.
    if (document.activeElement?.matches("[data-task]")) title.current?.focus();
  }, []);
  const back = withQuery(addressOf(list.board, "tasks"));
  if (!task)
    return (
      <Panel
        label={`Task ${selector}`}
        title={<span class="mono">{visible(selector)}</span>}
        back={back}
      >
        {isMissing ? (
          <div class="blank">
            <Icon name="task" />
            <h3>There is no task {visible(selector)} here</h3>
            <p class="act">
              <a class="b" href={back}>
                All tasks
              </a>
            </p>
          </div>
        ) : (
          <Bones what="task" />
        )}
      </Panel>
    );
  const mayAct = canOpenTasks(list.board);
  return (
    <Panel
      label={`Task ${task.ref}`}
      back={back}
      title={
        <span class="task-h">
          <StateMark task={task} />
          <span class="mono">{task.ref}</span>
          <span class="muted">{sinceOf(task)}</span>
        </span>
      }
      end={
        <MenuButton label="Task menu" items={menuOf(task, mayAct, onAsk, () => setRenamed(true))}>
          <Icon name="dots" />
        </MenuButton>
      }
    >
      <div class="panel-b">
        <section class="sect">
          {isRenamed ? (
            <OneLine
              label="Title"
              initial={task.title}
              longest={120}
              save={(text) => rewrite(task, { title: text })}
              onClose={() => setRenamed(false)}
            />
          ) : (
            <h3 class="task-t" ref={title} tabIndex={-1}>
              <bdi>{visible(task.title)}</bdi>
            </h3>
          )}
          <Who task={task} mayAct={mayAct} />
        </section>
        <HoldsUp task={task} />
        {isClosed(task) && task.closed_note && (
          <section class="sect">
            <div class="sect-h">
              <h3>{task.state === "cancelled" ? "Why it was cancelled" : "What came of it"}</h3>
            </div>
            <Written text={task.closed_note} of={{ board: task.board, mentions: [] }} />
          </section>
        )}
        <Stands task={task} mayAct={mayAct} />
        <About task={task} mayAct={mayAct} />
        <FilesOf task={task} />
        <Said task={task} />
      </div>
      {mayAct && !isClosed(task) && <Acts task={task} onAsk={onAsk} />}
    </Panel>
  );
}

function sinceOf(task: Task): string {
  const words = lookOf(task).words.toLowerCase();
  if (task.closed_at) return `${words}, ${whenOf(task.closed_at)}`;
  return task.state === "open" ? `${words} since ${whenOf(task.opened_at)}` : words;
}

/** Who owns a task, who helps, and who opened it. */
function Who({ task, mayAct }: { task: Task; mayAct: boolean }) {
  const { members } = boardOf(task.board);
  const seat = members.value.find(({ name }) => name === task.owner?.name);
  const isOpen = !isClosed(task);
  return (
    <dl class="kv">
      <dt>Owner</dt>
      <dd class={task.owner ? "" : "muted"}>
        {task.owner ? (
          <>
            <Mark of={task.owner} small /> <Name of={task.owner} />{" "}
            <Whose from={task.owner} showOwner /> {isOpen && seat && <AgentState agent={seat} />}
            {isOpen && seat?.line?.task?.id === task.id && seat.line.text !== task.title && (
              <span class="does">
                <bdi>{visible(seat.line.text)}</bdi>
              </span>
            )}
          </>
        ) : (
          "nobody yet"
        )}
      </dd>
      <dt>Helps</dt>
      <dd class={task.with.length > 0 ? "" : "muted"}>
        {task.with.length === 0 && "nobody"}
        {task.with.map((member, at) => (
          <span key={member.name}>
            {at > 0 && ", "}
            <Mark of={member} small /> <Name of={member} />
          </span>
        ))}{" "}
        {mayAct && isOpen && !isOn(task) && <TakePart task={task} />}
      </dd>
      <dt>Opened</dt>
      <dd>
        {whenOf(task.opened_at)} by <Name of={task.opened_by} />
      </dd>
    </dl>
  );
}

function menuOf(
  task: Task,
  mayAct: boolean,
  onAsk: (asked: AskedFor) => void,
  rename: () => void,
): MenuItem[] {
  const items: MenuItem[] = [
    {
      label: "Copy its link",
      icon: "link",
      run: () =>
        void copyLinkTo(addressOf(task.board, "tasks", task.ref), `the link of ${task.ref}`),
    },
    { label: "Copy its reference", icon: "copy", run: () => void copy(task.ref, task.ref) },
  ];
  if (!mayAct || isClosed(task)) return items;
  const others = [task.owner, ...task.with]
    .filter((one) => one !== null)
    .filter((one) => !isMe(one));
  items.unshift({ label: "Change its title", icon: "edit", run: rename });
  for (const member of others)
    items.push({
      label: `Take ${named(member)} off it`,
      icon: "leave",
      run: () => void drop(task, member),
    });
  if (task.state === "open")
    items.push({
      label: "It is done already",
      icon: "check",
      run: () => onAsk({ kind: "done", task }),
    });
  items.push({
    label: "Cancel the task",
    icon: "t-cancel",
    isBad: true,
    isApart: true,
    run: () => onAsk({ kind: "cancel", task }),
  });
  return items;
}
