import { dialog } from "../../core/screen/dialogs.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { activeBoards } from "../../core/boards/overview.ts";
import { openPalette } from "../../core/screen/palette.ts";
import { addressOf, go, place } from "../../core/screen/router.ts";

/** The keys that work everywhere on the page. What is shown may take one before them. */
export function PageKeys() {
  useKeys({
    "Mod+k": () => openPalette(),
    "/": () => openPalette(boardHere()),
    "?": () => {
      dialog.value = "keys";
    },
    "g h": () => go("/"),
    a: nextNeed,
    n: nextNew,
    "Alt+ArrowUp": () => goBeside(-1),
    "Alt+ArrowDown": () => goBeside(1),
    F6: () => nextRegion(1),
    "Shift+F6": () => nextRegion(-1),
    Escape: leaveField,
  });
  return null;
}

const boardHere = (): string | null => (place.value.name === "board" ? place.value.board : null);

/** Moves the focus to the next thing that needs the person, on home. */
function nextNeed(): void {
  if (place.value.name === "home") return focusNextNeed();
  go("/");
  // The place is there with the next frame.
  requestAnimationFrame(focusNextNeed);
}

function focusNextNeed(): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-need]")];
  const at = all.findIndex((one) => one.contains(document.activeElement));
  const next = all[(at + 1) % all.length] ?? document.querySelector<HTMLElement>("#main");
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Goes to the next board with something new, from the one that is shown. */
function nextNew(): void | false {
  const all = activeBoards.value;
  const here = all.findIndex(({ name }) => name === boardHere());
  const order = [...all.slice(here + 1), ...all.slice(0, here + 1)];
  const next = order.find(({ name, unread }) => (unread ?? 0) > 0 && name !== boardHere());
  if (!next) return false;
  go(addressOf(next.name));
}

/** Goes to the board above or below in the rail. */
function goBeside(step: number): void | false {
  const all = activeBoards.value;
  const here = all.findIndex(({ name }) => name === boardHere());
  const next = here < 0 ? all.at(step > 0 ? 0 : -1) : all[here + step];
  if (!next) return false;
  go(addressOf(next.name));
}

const focusable = "a[href], button:not([disabled]), input, textarea, select, [tabindex]";

/** Moves the focus to the next part of the page: rail, content, panel, toast. It returns to where it was in each. */
function nextRegion(step: number): void | false {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-f6]")].filter(
    (region) =>
      region.checkVisibility() &&
      (region.matches(".toasts") ? region.querySelector("button") : true),
  );
  if (regions.length === 0) return false;
  const at = regions.findLastIndex((region) => region.contains(document.activeElement));
  const next = regions.at((at + step + regions.length) % regions.length)!;
  const inside = [...next.querySelectorAll<HTMLElement>(focusable)].filter((one) =>
    one.checkVisibility(),
  );
  const current = inside.find((one) => one.matches("[aria-current]"));
  // What holds nothing to press takes the focus itself, so that its text is read.
  if (inside.length === 0) next.tabIndex = -1;
  (next.matches("[tabindex]") ? next : (current ?? inside[0]!)).focus();
}

/** Takes the focus out of a field, so that letters are keys again. */
function leaveField(): void | false {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !/^(INPUT|TEXTAREA)$/.test(activeElement.tagName))
    return false;
  activeElement.closest<HTMLElement>("[tabindex]")?.focus();
  if (document.activeElement === activeElement) activeElement.blur();
}
