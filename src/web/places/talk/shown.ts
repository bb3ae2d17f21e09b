/** How long the end of a message is in view before it counts as shown. */
const shownAfterMs = 400;
/** While the reader scrolls, what is in view is looked at this often. */
const lookEveryMs = 100;

/** Follows which messages of a feed are shown. */
export interface ShownFollower {
  /** Looks again, since something moved, came or went. */
  look(): void;
  end(): void;
}

/**
 * Calls `onShown` with the numbers of messages that were shown: the end of each was in view for 400 milliseconds, while the
 * page was visible, had the focus and nothing lay over it. `isWanted` says which numbers are not known to be shown yet.
 */
export function followShown(
  scroller: HTMLElement,
  isWanted: (seq: number) => boolean,
  onShown: (seqs: readonly number[]) => void,
): ShownFollower {
  let inView = new Map<HTMLElement, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Infinity;

  function lookIn(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(lookNow, milliseconds);
  }

  function lookNow(): void {
    dueAt = Infinity;
    const now = performance.now();
    const still = new Map<HTMLElement, number>();
    const shown: number[] = [];
    let next = Infinity;
    for (const element of endsInView(scroller, isWanted)) {
      const since = inView.get(element) ?? now;
      still.set(element, since);
      const left = since + shownAfterMs - now;
      if (left <= 0) shown.push(...seqsOf(element).filter(isWanted));
      else next = Math.min(next, left);
    }
    inView = still;
    if (shown.length > 0) onShown(shown);
    if (next < Infinity) lookIn(Math.ceil(next));
  }

  const look = () => lookIn(lookEveryMs);
  const resized = new ResizeObserver(look);
  resized.observe(scroller);
  scroller.addEventListener("scroll", look, { passive: true });
  for (const name of ["focus", "blur"]) addEventListener(name, look);
  document.addEventListener("visibilitychange", look);
  look();
  return {
    look,
    end() {
      clearTimeout(timer);
      resized.disconnect();
      scroller.removeEventListener("scroll", look);
      for (const name of ["focus", "blur"]) removeEventListener(name, look);
      document.removeEventListener("visibilitychange", look);
    },
  };
}

/** The messages that an element shows: one, or the replies that a folded line counts. */
const seqsOf = ({ dataset }: HTMLElement): number[] =>
  (dataset["seq"] ?? dataset["shows"] ?? "").split(" ").filter(Boolean).map(Number);

/** Whether a reader can see the page. */
const isSeen = () => document.visibilityState === "visible" && document.hasFocus();

function endsInView(
  scroller: HTMLElement,
  isWanted: (seq: number) => boolean,
): readonly HTMLElement[] {
  if (!isSeen()) return [];
  const { top, bottom } = scroller.getBoundingClientRect();
  const all = [...scroller.querySelectorAll<HTMLElement>("[data-seq], [data-shows]")];
  return all.filter((element) => {
    if (!seqsOf(element).some(isWanted)) return false;
    const place = element.getBoundingClientRect();
    if (place.height === 0 || place.bottom > bottom + 1 || place.bottom <= top) return false;
    // What lies over the end of the text covers it: a dialog, a menu, or the panel of a narrow window.
    const text = element.querySelector(".bd, .run-h")?.getBoundingClientRect() ?? place;
    const at = document.elementFromPoint(text.left + 4, Math.min(place.bottom, bottom) - 3);
    return at !== null && scroller.contains(at);
  });
}

/** The first and the last row that stand between two edges of the window, and how far each is below the upper one, in pixels. */
export function rowsBetween(list: HTMLElement, top: number, bottom: number) {
  const found = { first: 0, last: 0, px: 0, lastPx: 0 };
  for (const element of list.querySelectorAll<HTMLElement>("[data-seq], .quiet, [data-shows]")) {
    const place = element.getBoundingClientRect();
    if (place.height === 0 || place.bottom <= top) continue;
    if (place.top >= bottom) break;
    const seq = Number(element.getAttribute("aria-posinset"));
    if (found.first === 0) found.px = place.top - top;
    found.first ||= seq;
    found.last = seq;
    found.lastPx = place.top - top;
  }
  return found;
}
