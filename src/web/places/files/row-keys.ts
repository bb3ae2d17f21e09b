import { useRef } from "preact/hooks";
import type { RefObject } from "preact";
import { useKeys } from "../../core/screen/keys.ts";

/** Lets `j`, `k` and arrows go from the link of one row to that of the next. Enter follows it, as everywhere. */
export function useRowKeys(): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const move = (step: number) => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>("a.bn") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = links[at === -1 && step < 0 ? links.length - 1 : at + step];
    if (!next) return false;
    next.focus();
    return undefined;
  };
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
  });
  return box;
}
