import { useLayoutEffect, useRef } from "preact/hooks";
import { takeAhead } from "./typed-ahead.ts";

/**
 * What keys do, by their names: `j`, `?`, `End`, `Mod+k` (Command or Control), `Alt+ArrowUp`, or two letters that follow one
 * another, as `g t`. A handler that gives `false` leaves the key to who comes after it.
 */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void | false>>;

const layers: { current: Keys }[] = [];
/** How long after the first letter of two the second one counts. */
const secondLetterMs = 1_500;
let first: { readonly key: string; readonly at: number } | null = null;

let usesLetters = true;

/** Turns keys of one letter on or off, as a person says under their account. */
export function letKeysOfOneLetter(on: boolean): void {
  usesLetters = on;
}

/** Makes keys work while a component is there. The component that came last is asked first. */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  useLayoutEffect(() => {
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

function nameOf(event: KeyboardEvent): string {
  const { key, altKey, metaKey, ctrlKey } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  // A shifted letter is another character already.
  const isShifted = event.shiftKey && key.length > 1;
  return [(metaKey || ctrlKey) && "Mod", altKey && "Alt", isShifted && "Shift", name]
    .filter(Boolean)
    .join("+");
}

/** Whether a key may be taken where it was pressed: letters never in a field, and Escape everywhere. */
function isFree(event: KeyboardEvent, name: string): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  // A dialog has its own keys, and what lies under it has none.
  if (document.querySelector("dialog[open]")) return false;
  if (name === "Escape" || name.endsWith("F6") || name.startsWith("Mod+")) return true;
  if (isField(event.target)) return false;
  return usesLetters || name.length > 1;
}

/** Follows the keyboard. */
export function followKeys(): void {
  document.addEventListener("keydown", (event) => {
    const name = nameOf(event);
    if (!isFree(event, name)) return;
    if (takeAhead(event)) return event.preventDefault();
    // A key that is held goes on from row to row, and does everything else once: the next ask was not read.
    if (event.repeat && /^[^jk[\]]$/.test(name)) return event.preventDefault();
    const second = first && Date.now() - first.at < secondLetterMs ? `${first.key} ${name}` : null;
    first = null;
    for (const each of second === null ? [name] : [second, name]) if (take(each, event)) return;
    if (
      layers.some(({ current }) => Object.keys(current).some((key) => key.startsWith(`${name} `)))
    )
      first = { key: name, at: Date.now() };
  });
}

function take(name: string, event: KeyboardEvent): boolean {
  for (const { current } of layers.toReversed()) {
    if (!Object.hasOwn(current, name) || current[name]!(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}
