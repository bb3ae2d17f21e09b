import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

/** What can be chosen in a menu. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** The key that does the same, as a reader sees it. */
  readonly keyName?: string;
  readonly isBad?: boolean;
  /** Whether a line stands above it. */
  readonly isApart?: boolean;
  run(): void;
}

/** A button that opens a menu below itself. Arrows, Home, End and first letters move in it; Escape closes it. */
export function MenuButton({
  label,
  items,
  class: look = "ib",
  children,
}: {
  label: string;
  items: readonly MenuItem[];
  class?: string;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <span class="menu-at">
      <button
        ref={button}
        class={look}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(isOpen && { "aria-controls": id })}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <Menu
          id={id}
          label={label}
          items={items}
          onClose={(returns) => {
            setOpen(false);
            if (returns) button.current?.focus();
          }}
        />
      )}
    </span>
  );
}

/** Opens a menu upwards where there is no room below it. */
export function keepInView(menu: HTMLElement): void {
  const { bottom, height, top } = menu.getBoundingClientRect();
  if (bottom > innerHeight - 8 && top > height) menu.classList.add("up");
}

/** A menu that is open. `onClose` says whether the focus is to return to where it came from. */
export function Menu({
  id,
  label,
  items,
  onClose,
}: {
  id?: string;
  label: string;
  items: readonly MenuItem[];
  onClose: (returns: boolean) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const buttons = () => [...(box.current?.querySelectorAll("button") ?? [])];
  // Before the next key is pressed.
  useLayoutEffect(() => {
    keepInView(box.current!);
    buttons()[0]?.focus();
    const away = (event: Event) => {
      if (!(event.target instanceof Node) || !box.current?.parentElement?.contains(event.target))
        onClose(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, []);
  const move = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const to: Record<string, number> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    let next = to[event.key];
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const order = [...all.keys()].map((step) => (at + 1 + step) % all.length);
      next = order.find((one) =>
        items[one]!.label.toLowerCase().startsWith(event.key.toLowerCase()),
      );
      // Letters belong to the menu while it is open, and not to the page.
      event.stopPropagation();
    }
    if (event.key === "Escape" || event.key === "Tab") onClose(event.key === "Escape");
    else if (next === undefined) return;
    else all[next]?.focus();
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={box}
      class="menu pop"
      role="menu"
      aria-label={label}
      {...(id && { id })}
      onKeyDown={move}
    >
      {items.map(({ label: words, icon, keyName, isBad, isApart, run }) => (
        <>
          {isApart && <hr />}
          <button
            key={words}
            class={isBad ? "mi bad" : "mi"}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              onClose(true);
              run();
            }}
          >
            {icon ? <Icon name={icon} /> : <span />}
            <span>{words}</span>
            {keyName && <kbd>{keyName}</kbd>}
          </button>
        </>
      ))}
    </div>
  );
}
