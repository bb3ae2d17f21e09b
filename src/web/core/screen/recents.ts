import { effect, signal, untracked } from "@preact/signals";
import { place, type Place } from "./router.ts";

/** A place of this tab's past. */
export interface Recent {
  readonly address: string;
  readonly board: string;
  /** What was shown of the board, if it was one thing. */
  readonly what: string | null;
}

const most = 8;

/** The boards, threads, tasks and files that were shown last in this tab, the newest first. */
export const recents = signal<readonly Recent[]>([]);

function recentOf(here: Place, address: string): Recent | null {
  if (here.name !== "board") return null;
  const { board, part, item } = here;
  if (part === "message" || (part !== "talk" && item === null)) return null;
  const what = part === "talk" ? null : part === "thread" ? `thread #${item}` : item;
  return { address, board, what };
}

/** Remembers the places that are shown. */
export function rememberPlaces(): void {
  effect(() => {
    const shown = recentOf(place.value, location.pathname);
    if (!shown) return;
    const others = untracked(() => recents.value).filter(
      ({ address }) => address !== shown.address,
    );
    recents.value = [shown, ...others].slice(0, most);
  });
}
