import type { Goal } from "./goal.ts";

/** How long rows that have just come into the document may take to get their real heights. */
const keptMs = 500;

/** Keeps the reader where they were put while the rows around get their real heights. */
export interface KeptPlace {
  /** Begins to keep a place that was just reached. */
  begin(at: Goal, box: HTMLElement): void;
  /** Goes back to the place, unless the reader has scrolled meanwhile. */
  keep(box: HTMLElement): void;
}

/**
 * `reach` stands at a place again. The browser keeps what is in view in its place as well, but not at the very top, and not in
 * the frame in which something has scrolled.
 */
export function keepPlace(reach: (at: Goal, box: HTMLElement) => void): KeptPlace {
  let kept: { readonly at: Goal; readonly top: number; readonly until: number } | null = null;
  return {
    begin(goal, box) {
      // The focus is the reader's by now.
      const at = goal.at === "seq" ? { ...goal, focus: false } : goal;
      kept = { at, top: box.scrollTop, until: performance.now() + keptMs };
    },
    keep(box) {
      if (!kept) return;
      const { at, top, until } = kept;
      kept = null;
      if (box.scrollTop !== top || performance.now() > until) return;
      reach(at, box);
      kept = { at, top: box.scrollTop, until };
    },
  };
}
