import { ageOf } from "../../core/screen/time.ts";
import { heldBy, isClosed, isMe, type Task } from "../../core/tasks/tasks.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { keyOf, Mark, Name, named, visible } from "../../parts/who.tsx";

/** How the state of a task looks, and what it is called. A state that this page does not know keeps its own name. */
const looks: Readonly<Record<string, { look: string; icon: IconName; words: string }>> = {
  open: { look: "ts-open", icon: "t-open", words: "Open" },
  in_progress: { look: "ts-prog", icon: "t-prog", words: "In progress" },
  done: { look: "ts-done", icon: "t-done", words: "Done" },
  cancelled: { look: "ts-cancel", icon: "t-cancel", words: "Cancelled" },
};

/** The look and the words of a task's state. */
export const lookOf = ({ state }: Task) =>
  (Object.hasOwn(looks, state) && looks[state]) || {
    look: "ts-open",
    icon: "task" as const,
    words: String(state),
  };

/** The state of a task as a picture with a hidden word. */
export function StateMark({ task, small = false }: { task: Task; small?: boolean }) {
  const { look, icon, words } = lookOf(task);
  return (
    <>
      <span class={look}>
        <Icon name={icon} small={small} />
      </span>
      <span class="vh">{words}</span>
    </>
  );
}

/** What a task waits for, if it stands still. */
export function Hold({ task }: { task: Task }) {
  if (!task.blocked || isClosed(task)) return null;
  const held = heldBy(task);
  const mine = held !== null && isMe(held.to);
  const age = held ? ageOf(held.since) : "now";
  return (
    <span class={mine ? "hold you" : "hold"}>
      <Icon name="stop" small />
      <span>
        {held ? (
          <>
            waits on {mine ? "you" : <bdi>{named(held.to)}</bdi>}
            {age !== "now" && `, ${age}`}
          </>
        ) : (
          "held up"
        )}
      </span>
    </span>
  );
}

/** The members of a task, its owner first. */
const membersOf = ({ owner, with: helpers }: Task) => [...(owner ? [owner] : []), ...helpers];

/** When a task last moved: a closed one was closed then. */
const movedAt = ({ closed_at, updated_at }: Task): string => closed_at ?? updated_at;

/** What a row says below the title: how it ended, where it stands, or what it is about. */
function secondLine({ closed_note, stands, about }: Task): string {
  const text = closed_note ?? stands?.text ?? about?.text ?? "";
  return visible(text.replace(/\s+/g, " ").trim());
}

/** What the rows of a list and the cards of a column have in common. */
interface RowProps {
  readonly task: Task;
  readonly href: string;
  readonly isShown: boolean;
}

/** A task in the list. */
export function Row({ task, href, isShown }: RowProps) {
  const members = membersOf(task);
  const line = secondLine(task);
  return (
    <li>
      <a class="t" href={href} data-task={task.ref} {...(isShown && { "aria-current": "true" })}>
        <StateMark task={task} />
        <span class="id">{task.ref}</span>
        <span class="tt clip1">
          <bdi>{visible(task.title)}</bdi>
        </span>
        <Hold task={task} />
        <span class="end">
          {members.length > 0 && (
            <span class="mks">
              {members.slice(0, 4).map((member) => (
                <Mark key={keyOf(member)} of={member} small />
              ))}
              <span class="vh">{members.map(named).join(", ")}</span>
            </span>
          )}
          <span class="nowrap">{ageOf(movedAt(task))}</span>
        </span>
        {line && (
          <span class="sub clip1">
            <bdi>{line}</bdi>
          </span>
        )}
      </a>
    </li>
  );
}

/** A task in a column. */
export function Card({ task, href, isShown }: RowProps) {
  const isHeld = task.blocked && !isClosed(task);
  return (
    <li>
      <a class="k" href={href} data-task={task.ref} {...(isShown && { "aria-current": "true" })}>
        <span class="meta">
          <StateMark task={task} small />
          <span class="mono">{task.ref}</span>
          {!isHeld && <span>{ageOf(movedAt(task))}</span>}
        </span>
        <span class="tt">
          <bdi>{visible(task.title)}</bdi>
        </span>
        <span class="meta">
          {membersOf(task).map((member) => (
            <span class="inl2" key={keyOf(member)}>
              <Mark of={member} small />
              <Name of={member} />
            </span>
          ))}
          <Hold task={task} />
        </span>
      </a>
    </li>
  );
}
