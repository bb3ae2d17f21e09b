import { go, query } from "../../core/screen/router.ts";
import { isClosed, isOn, type TaskList } from "../../core/tasks/tasks.ts";
import { Icon } from "../../parts/icon.tsx";
import { visible } from "../../parts/who.tsx";
import { filterOf, ownersOf } from "./sorted.ts";

/** The address that is shown, with one of its words after the `?` changed. */
function withWord(name: string, value: string): string {
  const words = new URLSearchParams(query.value);
  if (value) words.set(name, value);
  else words.delete(name);
  return words.size > 0 ? `${location.pathname}?${words.toString()}` : location.pathname;
}

/** Which of the tasks are shown. */
export function Bar({ list, onNew }: { list: TaskList; onNew: (() => void) | null }) {
  const tasks = list.tasks.value;
  const { show, owner } = filterOf(query.value);
  const running = tasks.filter((task) => !isClosed(task));
  const choices = [
    { name: "", label: "All", count: null },
    { name: "mine", label: "Yours", count: running.filter(isOn).length },
    { name: "held", label: "Held up", count: running.filter(({ blocked }) => blocked).length },
  ];
  return (
    <div class="tasks-bar">
      <div class="seg" role="group" aria-label="Which tasks">
        {choices.map(({ name, label, count }) => (
          <a
            key={name}
            href={withWord("show", name)}
            {...((name || "all") === show && { "aria-current": "true" })}
          >
            {label}
            {count !== null && count > 0 && <span class="num">{count}</span>}
          </a>
        ))}
      </div>
      <select
        class="f"
        aria-label="Owner"
        value={owner ?? ""}
        onChange={({ currentTarget }) =>
          go(withWord("owner", currentTarget.value), { replace: true })
        }
      >
        <option value="">Everybody’s</option>
        {[...new Set([...ownersOf(tasks), ...(owner ? [owner] : [])])].map((name) => (
          <option key={name} value={name}>
            {visible(name)}
          </option>
        ))}
      </select>
      {onNew && (
        <button class="ib only-phone" type="button" aria-label="New task" onClick={onNew}>
          <Icon name="plus" />
        </button>
      )}
    </div>
  );
}
