import { signal, type ReadonlySignal } from "@preact/signals";
import { folds, setFold } from "../../core/screen/folds.ts";
import { boards } from "../../core/boards/overview.ts";
import { talkOf, type Message, type Talk } from "../../core/talk/talk.ts";
import { dayOf } from "../../core/screen/time.ts";
import type { Goal, SeqGoal } from "./goal.ts";
import { keepPlace } from "./kept-place.ts";
import { readingOf, type Reading } from "./reading.ts";
import { blocksOf, rowsOf, type Block, type GapRow, type Row } from "./row-list.ts";
import { rowsBetween } from "./shown.ts";
import { openWindow, type Window } from "./window.ts";

/** How close to the end the reader is at the end. */
const endPx = 48;

/** What a timeline that is shown is made of, and where it stands. */
export interface TimelineView {
  readonly talk: Talk;
  readonly reading: Reading;
  readonly window: Window;
  readonly blocks: ReadonlySignal<readonly Block[]>;
  /** What is known of where the reader is: it is read anew after each scroll. */
  readonly place: ReadonlySignal<Standing>;
  attach(scroller: HTMLElement, feed: HTMLElement): void;
  /** Goes somewhere. `remembers` notes where the reader was, to go back there. */
  go(goal: Goal, options?: { readonly remembers?: boolean }): void;
  /** Goes back to where the reader was before the last jump. Gives whether there is such a place. */
  goBack(): boolean;
  /** Reaches the goal, once what it needs is in the document. */
  settle(): void;
  /** Stays with the reader, after rows came into the document. */
  follow(): void;
  /** Makes rows of what is held now. */
  refresh(): void;
  look(): void;
  loadGap(gap: GapRow): void;
  end(): void;
}

/** Where the reader is. */
export interface Standing {
  readonly isAtEnd: boolean;
  /** The first and the last place of the log that are in view. */
  readonly first: number;
  readonly last: number;
}

/** Where the reader was on each board of this tab. */
const left = new Map<string, Goal>();

/** Opens the timeline of a board as it stood when this tab last showed it. */
export function openTimeline(board: string): TimelineView {
  const talk = talkOf(board);
  const reading = readingOf(board);
  const begins = new Set<string>();
  const blocks = signal<readonly Block[]>([]);
  const standing = signal<Standing>({ isAtEnd: true, first: 0, last: 0 });
  let scroller: HTMLElement | null = null;
  let feed: HTMLElement | null = null;
  let goal: Goal | null = left.get(board) ?? null;
  let isOpened = false;
  let isLoading = false;
  /** Whether the reader was sent somewhere. Then the rules of opening come too late. */
  let hasGone = false;
  /** Where the reader is: at the end, or at the first row in view, so many pixels down. */
  let here: Goal | null = null;
  /** The last row in view. The first one may lose its day and its head to older rows, and so its height. */
  let lowest: SeqGoal | null = null;
  let newestSeq = 0;
  let later = 0;
  let oldestKey = "";
  const trail: Goal[] = [];
  const kept = keepPlace(reach);

  const window = openWindow({
    scroller: () => scroller,
    start: () => feed?.offsetTop ?? 0,
    isHeld: () => goal !== null,
    onResize: () => settle(),
  });

  const rows = (): readonly Row[] => blocks.value.flatMap((block) => block.rows);

  function refresh(): void {
    if (scroller?.scrollTop === 0 && feed) note(scroller, feed);
    const list = rowsOf({
      messages: talk.messages.value,
      quiet: talk.quiet.value,
      stretches: talk.stretches.value,
      folds: folds.value,
      since: reading.since.value?.seq ?? null,
      dayOf,
    });
    blocks.value = blocksOf(list, begins);
    window.use(blocks.value);
    // How far the person has read is known with the list of boards.
    if (!isOpened && talk.state.value === "ready" && boards.value !== null) open();
    else if (goal) aim(goal);
    else showLast();
  }

  /** What arrives at the end is seen at once by who is there. The rest waits until what is in view has its place again. */
  function showLast(): void {
    const last = blocks.value.at(-1);
    if (last && standing.value.isAtEnd) window.show(last.key);
    lookLater();
  }

  /** Stands where the rules of opening say, unless the reader comes back. */
  function open(): void {
    isOpened = true;
    const unread = reading.firstUnread();
    if (unread !== null) {
      const before = talk.messages.value.findLast(({ seq }) => seq <= reading.upTo);
      reading.since.value = { seq: reading.upTo, at: before?.at ?? null };
    }
    if (hasGone && !goal) return;
    go(goal ?? (unread ? { at: "seq", seq: unread.seq, align: 0.25 } : { at: "end" }));
  }

  const blockAt = (seq: number): Block | undefined =>
    blocks.value.findLast((block) => block.rows[0]!.seq <= seq) ?? blocks.value[0];

  function go(next: Goal, { remembers = false } = {}): void {
    hasGone = true;
    if (remembers && here) trail.push(here);
    goal = next;
    if (next.at === "seq") unfold(next.seq);
    aim(next);
    settle();
  }

  /** Brings what the goal needs into the document. The rows may change until it is reached. */
  function aim(at: Goal): void {
    const block = at.at === "end" ? blocks.value.at(-1) : blockAt(at.seq);
    if (block && !window.shown.value.has(block.key)) window.showAround(block.key);
  }

  /** A message that is gone to is seen, though its thread was folded. */
  function unfold(seq: number): void {
    const message = talk.messages.value.find((one) => one.seq === seq);
    const root = message?.thread_root;
    if (root && folds.value.has(root)) setFold(root, false);
  }

  function elementOf(seq: number): HTMLElement | null {
    const exact = feed?.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
    if (exact) return exact;
    const row = rows().findLast((one) => one.seq <= seq && one.last >= seq);
    return row ? (document.getElementById(row.key) ?? null) : null;
  }

  function settle(): void {
    if (!scroller || !feed || scroller.clientHeight === 0) return;
    if (!goal) {
      kept.keep(scroller);
      return lookLater();
    }
    const reached = goal;
    reach(reached, scroller);
    if (goal === null) kept.begin(reached, scroller);
    look();
  }

  function reach(at: Goal, box: HTMLElement): void {
    if (at.at === "seq") return settleAt(at, box);
    const last = blocks.value.at(-1);
    if (last && !window.shown.value.has(last.key)) return;
    box.scrollTop = box.scrollHeight;
    if (feed?.querySelector(`[data-block="${CSS.escape(last?.key ?? "")}"] > *`)) goal = null;
  }

  /** Stays with the reader after rows changed: new ones at the end are followed, older ones move nothing. */
  function follow(): void {
    const newest = talk.messages.value.at(-1);
    const [oldest] = blocks.value;
    const hadOldest = oldestKey;
    const arrived = isOpened && newest !== undefined && newest.seq > newestSeq;
    const isFirstTime = newestSeq === 0;
    newestSeq = isOpened ? (newest?.seq ?? 0) : newestSeq;
    oldestKey = oldest?.key ?? "";
    if (!scroller || !feed || goal) return;
    // At its very top the browser does not keep in place what is in view.
    if (scroller.scrollTop === 0 && hadOldest !== oldestKey && lowest) {
      settleAt(lowest, scroller);
      kept.begin(lowest, scroller);
    }
    if (!arrived || isFirstTime) return;
    const unread = reading.firstUnread();
    if (newest.sender === "self" && !unread) go({ at: "end" });
    else if (standing.value.isAtEnd && document.hasFocus()) followNew(scroller, unread);
  }

  /** Goes to the end, unless the first new message would leave the window by that. */
  function followNew(box: HTMLElement, unread: Message | null | undefined): void {
    const end = box.scrollHeight - box.clientHeight;
    const first = unread ? elementOf(unread.seq) : null;
    const top = first
      ? first.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop
      : end;
    box.scrollTop = Math.max(box.scrollTop, Math.min(end, top));
  }

  function settleAt(at: SeqGoal, box: HTMLElement): void {
    const element = elementOf(at.seq);
    if (!element) return;
    goal = null;
    const { top, height } = element.getBoundingClientRect();
    const from = top - box.getBoundingClientRect().top + box.scrollTop;
    const room = box.clientHeight;
    const down =
      at.align === "middle"
        ? Math.max(0, (room - height) / 2)
        : typeof at.align === "number"
          ? room * at.align
          : at.align.px;
    box.scrollTop = from - down;
    if (at.focus) element.focus({ preventScroll: true });
  }

  /** Looks once the browser has kept in place what is in view, which it does at the end of a frame. */
  function lookLater(): void {
    cancelAnimationFrame(later);
    later = requestAnimationFrame(() => {
      later = requestAnimationFrame(look);
    });
  }

  function look(): void {
    if (!scroller || !feed || scroller.clientHeight === 0) return;
    window.look();
    note(scroller, feed);
    loadWhatIsNear(scroller);
  }

  function note(box: HTMLElement, list: HTMLElement): void {
    const { scrollTop, scrollHeight, clientHeight } = box;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < endPx;
    const { top, bottom } = box.getBoundingClientRect();
    const { first, last, px, lastPx } = rowsBetween(list, top, bottom);
    if (last > 0) lowest = { at: "seq", seq: last, align: { px: lastPx } };
    if (!goal && first > 0)
      here = isAtEnd ? { at: "end" } : { at: "seq", seq: first, align: { px } };
    const now = standing.value;
    if (now.isAtEnd !== isAtEnd || now.first !== first || now.last !== last)
      standing.value = { isAtEnd, first, last };
  }

  function loadWhatIsNear({ scrollTop, clientHeight }: HTMLElement): void {
    if (isLoading || goal || !isOpened) return;
    if (talk.hasOlder.value && scrollTop < 2 * clientHeight) void load(() => talk.loadOlder());
  }

  async function load(read: () => Promise<void>): Promise<void> {
    isLoading = true;
    try {
      await read();
      talk.letGo(standing.value.first || (talk.messages.value[0]?.seq ?? 0));
    } catch {
      // What could not be read is asked for again with the next scroll.
    } finally {
      isLoading = false;
    }
  }

  return {
    talk,
    reading,
    window,
    blocks,
    place: standing,
    attach(box, list) {
      scroller = box;
      feed = list;
    },
    go,
    goBack() {
      const back = trail.pop();
      if (back) go(back);
      return back !== undefined;
    },
    settle,
    follow,
    refresh,
    look,
    loadGap({ seq, before }) {
      // From above it is read on, and from below it is read back.
      const isBelow = standing.value.first >= before;
      void load(() => talk.loadGap(isBelow ? { before } : { after: seq - 1 }));
    },
    end() {
      if (here) left.set(board, here);
      cancelAnimationFrame(later);
      window.end();
    },
  };
}
