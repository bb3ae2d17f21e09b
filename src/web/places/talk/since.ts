import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { TimelineView } from "./timeline-view.ts";

/** How often the reader comes back with everything read until the line goes. */
const returnsUntilGone = 2;

/**
 * Keeps the line above what is new: it stands where the reader was when the window lost the focus. It never moves while it is
 * in view, and goes when the reader comes back a second time with everything read.
 */
export function useSinceLine(view: TimelineView, feed: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { reading } = view;
    let returns = 0;
    const isLineInView = () => {
      const line = feed.current?.querySelector(".since")?.getBoundingClientRect();
      const box = feed.current?.closest(".scroll")?.getBoundingClientRect();
      return line && box ? line.bottom > box.top && line.top < box.bottom : false;
    };
    const leave = () => {
      if (isLineInView()) return;
      returns = 0;
      reading.since.value = { seq: reading.upTo, at: new Date().toISOString() };
    };
    const comeBack = () => {
      returns++;
      if (returns >= returnsUntilGone && reading.firstUnread() === null) reading.since.value = null;
    };
    addEventListener("blur", leave);
    addEventListener("focus", comeBack);
    return () => {
      removeEventListener("blur", leave);
      removeEventListener("focus", comeBack);
    };
  }, [view]);
}
