import type { RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useState } from "preact/hooks";
import { boardOf } from "../../core/boards/board.ts";
import { completionAt, type Completion } from "../../core/sending/completion.ts";
import { me } from "../../core/boards/overview.ts";
import { preferences } from "../../core/screen/preferences.ts";
import { taskListOf } from "../../core/tasks/tasks.ts";
import { AgentState } from "../agent-state.tsx";
import { switches } from "./composer-bar.tsx";
import type { Writing } from "./writing.ts";
import { Icon, type IconName } from "../icon.tsx";
import { Mark, Name, visible } from "../who.tsx";

const growsByItself = CSS.supports("field-sizing", "content");

/** The text of a message. Members, roles, tasks and switches complete in it. */
export function Field({
  writing,
  field,
  label,
  placeholder,
  onUp,
}: {
  writing: Writing;
  field: RefObject<HTMLTextAreaElement | null>;
  label: string;
  placeholder: string;
  /** Called for an arrow upwards in an empty field. Gives whether that did something. */
  onUp: () => boolean;
}) {
  const { draft, place, change, toggle } = writing;
  const { text } = draft;
  const id = useId();
  const view = boardOf(place.board);
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  /** The text in which Escape closed the list. It stays closed until the text is another. */
  const [closedIn, setClosedIn] = useState<string | null>(null);
  const taskPrefix = view.info.value?.task_prefix ?? null;
  const mayBeTask = taskPrefix !== null && text.toUpperCase().includes(taskPrefix);
  const completing =
    caret === null || closedIn === text || writing.isPreview
      ? null
      : completionAt(text, caret, {
          members: view.members.value,
          roles: Object.keys(view.info.value?.roles ?? {}),
          tasks: mayBeTask ? taskListOf(place.board).tasks.value : [],
          toggles: writing.toggles,
          inThread: writing.people ?? [],
          own: me.value,
          taskPrefix,
        });
  const items = completing?.items ?? [];
  const at = Math.min(active, items.length - 1);
  useEffect(() => setActive(0), [text]);
  useLayoutEffect(() => {
    const { current } = field;
    if (!current || growsByItself) return;
    current.style.height = "auto";
    current.style.height = `${current.scrollHeight}px`;
  }, [text]);

  const look = ({
    currentTarget: { selectionStart, selectionEnd },
  }: {
    currentTarget: HTMLTextAreaElement;
  }) => setCaret(selectionStart === selectionEnd ? selectionStart : null);

  function take(item: Completion): void {
    const { current } = field;
    if (!completing || !current || caret === null) return;
    const { from } = completing;
    // In an ask without anybody, the first name is whom it asks.
    const isAsked = item.kind === "member" && draft.ask && draft.to.length === 0;
    current.focus();
    current.setSelectionRange(from, caret);
    replaceSelection(current, isAsked || item.kind === "toggle" ? "" : `${item.text} `);
    if (isAsked) change({ to: [item.text] });
    if (item.kind === "toggle") toggle(item.toggle);
  }

  /** The keys of the list while it is open. Gives whether the key was one of them. */
  function moveInList(event: KeyboardEvent): boolean {
    const next: Record<string, number> = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
    };
    if (event.key === "Escape") {
      setClosedIn(text);
      // The panel around the field stays open.
      event.stopPropagation();
    } else if (event.key === "Enter" || event.key === "Tab") take(items[at]!);
    else if (next[event.key] !== undefined) setActive(next[event.key]!);
    else return false;
    return true;
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (items.length > 0 && isPlain && !event.shiftKey && moveInList(event)) event.preventDefault();
    else if (event.key === "ArrowUp" && text === "" && isPlain && onUp()) event.preventDefault();
    else if (event.key === "Enter" && sends(event)) {
      event.preventDefault();
      writing.submit();
    }
  };
  return (
    <>
      {items.length > 0 && (
        <div class="menu mention" role="listbox" id={id} aria-label="Completions">
          {items.map((item, index) => (
            <div
              key={keyOf(item)}
              id={`${id}-${index}`}
              class={index === at ? "mi on" : "mi"}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(item)}
            >
              <Shown item={item} />
            </div>
          ))}
        </div>
      )}
      <textarea
        ref={field}
        rows={1}
        hidden={writing.isPreview}
        placeholder={placeholder}
        aria-label={label}
        aria-autocomplete="list"
        {...(items.length > 0 && { "aria-controls": id, "aria-activedescendant": `${id}-${at}` })}
        value={text}
        onInput={(event) => {
          change({ text: event.currentTarget.value });
          look(event);
        }}
        onSelect={look}
        onClick={look}
        onKeyUp={look}
        onBlur={() => setCaret(null)}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

const sends = ({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || (!altKey && shiftKey !== preferences.value.enterSends);

/** Writes over what is selected, so that undoing brings it back. */
function replaceSelection(field: HTMLTextAreaElement, text: string): void {
  const isDone = document.execCommand(text === "" ? "delete" : "insertText", false, text);
  if (isDone) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

const keyOf = (item: Completion): string => (item.kind === "toggle" ? item.toggle : item.text);

const stateIcons: Readonly<Record<string, IconName>> = {
  open: "t-open",
  in_progress: "t-prog",
  done: "t-done",
  cancelled: "t-cancel",
};

function Shown({ item }: { item: Completion }) {
  switch (item.kind) {
    case "member": {
      const { member } = item;
      const whose = member.owner === me.value ? "yours" : `${visible(member.owner ?? "")}’s`;
      const task = member.current_task;
      const does = task ? `${task.ref} ${task.title}` : member.line?.text;
      return (
        <>
          <Mark of={member} display={member.display_name} small />
          <span>
            <Name of={member} />{" "}
            {member.kind === "agent" && member.owner && <span class="muted">{whose}</span>}
          </span>
          <AgentState agent={member} />
          {does && <span class="sub clip1">{visible(does)}</span>}
        </>
      );
    }
    case "role":
      return (
        <>
          <Icon name="people" />
          <span>{item.text.slice(1)}</span>
          <span class="muted">{item.agents === 1 ? "1 agent" : `${item.agents} agents`}</span>
        </>
      );
    case "task":
      return (
        <>
          <Icon name={stateIcons[item.task.state] ?? "task"} />
          <span class="clip1">
            <b class="mono">{item.task.ref}</b> <bdi>{visible(item.task.title)}</bdi>
          </span>
          <span class="muted">{item.task.state.replace("_", " ")}</span>
        </>
      );
    case "toggle":
      return (
        <>
          <Icon name={switches[item.toggle].icon} />
          <span>{switches[item.toggle].label}</span>
          <span class="muted mono">/{item.toggle}</span>
        </>
      );
  }
}
