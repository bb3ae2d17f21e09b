import { createPortal, type ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { go, place } from "../../core/screen/router.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { Dock } from "./dock.tsx";
import { Icon } from "../icon.tsx";

/**
 * What stands beside a place: a thread, a task, versions. It has an address of its own; `back` is where closing it leads, and
 * the focus returns to where it came from. Wherever it is written, it stands beside `main` in the document.
 */
export function Panel({
  title,
  label,
  back,
  end,
  children,
}: {
  title: ComponentChildren;
  /** What the panel is, for who does not see it. */
  label: string;
  back: string;
  /** Buttons beside the title. */
  end?: ComponentChildren;
  children: ComponentChildren;
}) {
  const isAlone = useNarrow();
  const here = place.value;
  useKeys({ Escape: () => go(back) });
  useLayoutEffect(() => {
    const from = document.activeElement;
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
    };
  }, []);
  return createPortal(
    <div class="panel opened" role={isAlone ? "main" : "complementary"} aria-label={label} data-f6>
      <div class="panel-h">
        <a class="ib only-phone" href={back} aria-label="Back">
          <Icon name="back" />
        </a>
        {isAlone && <h1 class="vh">{label}</h1>}
        <h2>{title}</h2>
        <div class="end">
          {end}
          <a class="ib" href={back} aria-label="Close (Escape)">
            <Icon name="x" />
          </a>
        </div>
      </div>
      {/* It lies over the one of the board. */}
      {isAlone && here.name === "board" && <Dock board={here.board} inPanel />}
      {children}
    </div>,
    document.querySelector(".app")!,
  );
}

/** As wide as a window may be in which a panel lies over its place: then the panel is what the page is about. */
const narrow = matchMedia("(max-width: 56.24em)");

/** So wide a window has room for the agents at work beside a board. */
const roomy = matchMedia("(min-width: 105em)");

/** Whether the window has no room for a panel beside its place. */
export const useNarrow = (): boolean => useMatch(narrow);
/** Whether the window has room for a panel that nobody has opened. */
export const useRoomy = (): boolean => useMatch(roomy);

function useMatch(media: MediaQueryList): boolean {
  const [is, set] = useState(media.matches);
  useLayoutEffect(() => {
    const follow = () => set(media.matches);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, []);
  return is;
}
