import { useKeys } from "../../core/screen/keys.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import { boardOf } from "../../core/boards/board.ts";
import { tasksOf } from "../../core/talk/references.ts";
import { addressOf, go } from "../../core/screen/router.ts";
import { Icon } from "../../parts/icon.tsx";
import { visible } from "../../parts/who.tsx";
import { filtersNow, type Filters } from "./filters.ts";

/** Shows the talk of a board with other filters. */
function filterBy(board: string, filters: Filters): void {
  const words = new URLSearchParams();
  for (const name of ["from", "role", "task", "q"] as const)
    if (filters[name]) words.set(name, filters[name]);
  if (filters.to_me) words.set("to_me", "");
  const text = words.toString().replace("to_me=", "to_me");
  go(addressOf(board) + (text ? `?${text}` : ""), { replace: true });
}

const none: Filters = { from: "", role: "", task: "", to_me: false, q: "" };

/** The filters as fields. Closing them shows everything again. */
export function FilterBar({ board, onClose }: { board: string; onClose: () => void }) {
  const now = filtersNow() ?? none;
  const first = useRef<HTMLSelectElement>(null);
  const { members, info } = boardOf(board);
  const use = (change: Partial<Filters>) => filterBy(board, { ...now, ...change });
  const close = () => {
    filterBy(board, none);
    onClose();
  };
  useLayoutEffect(() => first.current?.focus(), []);
  useKeys({ Escape: close });
  return (
    <form
      class="strip filters"
      role="search"
      aria-label="Filter messages"
      onSubmit={(event) => {
        event.preventDefault();
        use({ q: String(new FormData(event.currentTarget).get("q") ?? "").trim() });
      }}
    >
      <Choice label="From" box={first} value={now.from} onChoose={(from) => use({ from })}>
        {members.value.map(({ id, name }) => ({ key: id, value: name }))}
      </Choice>
      <Choice label="Role" value={now.role} onChoose={(role) => use({ role })}>
        {Object.keys(info.value?.roles ?? {}).map((value) => ({ key: value, value }))}
      </Choice>
      <Choice label="Task" value={now.task} onChoose={(task) => use({ task })}>
        {[...tasksOf(board).keys()].map((value) => ({ key: value, value }))}
      </Choice>
      <label class="inl">
        <input
          type="checkbox"
          checked={now.to_me}
          onChange={(event) => use({ to_me: event.currentTarget.checked })}
        />
        To me
      </label>
      <input class="f" name="q" aria-label="Words" placeholder="Words" defaultValue={now.q} />
      <span class="end">
        <button class="ib" type="button" aria-label="Show all messages (Escape)" onClick={close}>
          <Icon name="x" />
        </button>
      </span>
    </form>
  );
}

function Choice({
  label,
  value,
  box,
  onChoose,
  children,
}: {
  label: string;
  value: string;
  box?: { current: HTMLSelectElement | null };
  onChoose: (value: string) => void;
  children: readonly { readonly key: string; readonly value: string }[];
}) {
  const isKnown = value === "" || children.some((one) => one.value === value);
  return (
    <select
      class="f"
      aria-label={label}
      {...(box && { ref: box })}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{label}: any</option>
      {!isKnown && <option value={value}>{visible(value)}</option>}
      {children.map((one) => (
        <option key={one.key} value={one.value}>
          {visible(one.value)}
        </option>
      ))}
    </select>
  );
}
