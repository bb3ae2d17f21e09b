import { signal, type ReadonlySignal } from "@preact/signals";
import { heightOf, type Block } from "./row-list.ts";

/** Blocks this many windows above and below what is in view are in the document. They leave it further away. */
const nearWindows = 1.5;
const farWindows = 2.5;
/** So many blocks that are not yet in view come into the document in one frame. */
const blocksInFrame = 2;
/** There are never more rows in the document, however high the window is. */
const mostRows = 350;

/** Which blocks of a timeline are in the document, and how high the others are. */
export interface Window {
  /** The blocks that are in the document, by their keys. */
  readonly shown: ReadonlySignal<ReadonlySet<string>>;
  /** Takes the blocks as they are now. */
  use(blocks: readonly Block[]): void;
  heightOf(block: Block): number;
  /** Where a block begins, from the top of the first one. */
  topOf(key: string): number;
  /** Measures a block while it is in the document. */
  measure(element: HTMLElement): () => void;
  /** Puts the blocks around one of them into the document, since the reader goes there. */
  showAround(key: string): void;
  /** Puts one more block into the document. */
  show(key: string): void;
  /** Brings the blocks around what is in view into the document, and lets go of those that are far. */
  look(): void;
  end(): void;
}

/**
 * Follows a scroller. `start` is where the first block begins in it, and `onResize` is called after a block changed its
 * height. While `isHeld`, the reader is on the way to somewhere else, and what is in view now says nothing.
 */
export function openWindow({
  scroller,
  start,
  isHeld,
  onResize,
}: {
  scroller: () => HTMLElement | null;
  start: () => number;
  isHeld: () => boolean;
  onResize: () => void;
}): Window {
  const shown = signal<ReadonlySet<string>>(new Set());
  const heights = new Map<string, number>();
  let blocks: readonly Block[] = [];
  let frame = 0;

  const measured = (block: Block): number => {
    const known = heights.get(block.key);
    if (known !== undefined) return known;
    return block.rows.reduce((sum, row) => sum + heightOf(row), 0);
  };

  const resizes = new ResizeObserver((entries) => {
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      const key = (target as HTMLElement).dataset["block"];
      const height = borderBoxSize[0]?.blockSize ?? 0;
      if (key === undefined || height === 0 || heights.get(key) === height) continue;
      heights.set(key, height);
      isChanged = true;
    }
    if (!isChanged) return;
    onResize();
    lookSoon();
  });

  function lookSoon(): void {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      look();
    });
  }

  /** The blocks with how far each is from what is in view, in windows. Nearest first. */
  function byDistance(): { readonly block: Block; readonly distance: number }[] {
    const box = scroller();
    if (!box || box.clientHeight === 0) return [];
    const { scrollTop, clientHeight } = box;
    let top = start() - scrollTop;
    const all = blocks.map((block) => {
      const from = top;
      top += measured(block);
      const outside = Math.max(0, from - clientHeight, -top);
      return { block, distance: outside / clientHeight };
    });
    return all.sort((one, other) => one.distance - other.distance);
  }

  function look(): void {
    if (isHeld()) return;
    const ranked = byDistance();
    if (ranked.length === 0) return;
    const next = new Set<string>();
    let rows = 0;
    let added = 0;
    let isMore = false;
    for (const { block, distance } of ranked) {
      const isHere = shown.value.has(block.key);
      if (distance > (isHere ? farWindows : nearWindows)) continue;
      rows += block.rows.length;
      if (rows > mostRows) break;
      if (!isHere && distance > 0 && ++added > blocksInFrame) {
        isMore = true;
        continue;
      }
      next.add(block.key);
    }
    set(next);
    if (isMore) lookSoon();
  }

  function set(next: ReadonlySet<string>): void {
    const now = shown.value;
    if (next.size !== now.size || [...next].some((key) => !now.has(key))) shown.value = next;
  }

  return {
    shown,
    use(next) {
      blocks = next;
      const keys = new Set(blocks.map(({ key }) => key));
      for (const key of heights.keys()) if (!keys.has(key)) heights.delete(key);
    },
    heightOf: measured,
    topOf(key) {
      let top = 0;
      for (const block of blocks) {
        if (block.key === key) break;
        top += measured(block);
      }
      return top;
    },
    measure(element) {
      resizes.observe(element);
      return () => resizes.unobserve(element);
    },
    showAround(key) {
      const at = blocks.findIndex((block) => block.key === key);
      if (at === -1) return;
      set(new Set(blocks.slice(Math.max(0, at - 1), at + 2).map((block) => block.key)));
    },
    show(key) {
      set(new Set([...shown.value, key]));
    },
    look,
    end() {
      cancelAnimationFrame(frame);
      resizes.disconnect();
    },
  };
}
