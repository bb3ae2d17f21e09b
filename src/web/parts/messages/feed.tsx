import type { RefObject } from "preact";
import {
  canAct,
  canOpenTasks,
  copyLink,
  current,
  openThread,
  reply,
  taskFrom,
  type Feed,
} from "../../core/talk/message-acts.ts";
import { useKeys, type Keys } from "../../core/screen/keys.ts";
import type { Message } from "../../core/talk/talk.ts";
import { openAt } from "./message-acts.tsx";

/** The messages of a feed that can have the focus. Lines about events have no `data-seq`, and can have it too. */
const stopsOf = (feed: HTMLElement): HTMLElement[] => [
  ...feed.querySelectorAll<HTMLElement>("[data-stop]"),
];

/** The element of a feed that has the focus, or holds it. */
const stopAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-stop]") : null;

/** What a feed's element needs so that the message under the pointer or the focus is known. */
export function followCurrent(feed: Feed) {
  const follow = ({ target }: Event) => {
    const id = stopAt(target)?.dataset["id"];
    if (id === undefined) return;
    if (current.value?.id !== id || current.value.feed !== feed) current.value = { feed, id };
  };
  return { onPointerOver: follow, onFocusIn: follow };
}

/**
 * The keys of a feed: moving from message to message, and what they do with the one that has the focus. `isAsked` says
 * whether the keys are for this feed now. `messageOf` finds a message by its id.
 */
export function useFeedKeys({
  feed,
  box,
  isAsked,
  messageOf,
  more = {},
}: {
  feed: Feed;
  box: RefObject<HTMLElement | null>;
  isAsked: () => boolean;
  messageOf: (id: string) => Message | undefined;
  more?: Keys;
}): void {
  const focused = () => {
    const here = stopAt(document.activeElement);
    return here && box.current?.contains(here) ? here : null;
  };
  const step = (by: 1 | -1) => {
    if (!box.current) return false;
    const stops = stopsOf(box.current);
    const here = focused();
    const next = here ? stops[stops.indexOf(here) + by] : firstInView(box.current, stops, by);
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
    return undefined;
  };
  const chosen = (): Message | undefined => {
    const id = focused()?.dataset["id"] ?? (current.value?.feed === feed ? current.value.id : "");
    return id ? messageOf(id) : undefined;
  };
  const withChosen = (run: (message: Message) => void, isAllowed?: (board: string) => boolean) => {
    const message = chosen();
    if (!message || isAllowed?.(message.board) === false) return false;
    run(message);
    return undefined;
  };
  const enter = () => {
    // On a button or a link the key means that.
    if (document.activeElement !== focused()) return false;
    const here = focused();
    const link = here?.dataset["id"] ? null : here?.querySelector("a[href]:not(.when)");
    if (link instanceof HTMLElement) {
      link.click();
      return undefined;
    }
    return feed === "talk" ? withChosen(openThread) : false;
  };
  const own: Keys = {
    j: () => step(1),
    k: () => step(-1),
    // Arrows move the focus once it is on a message, and scroll until then.
    ArrowDown: () => (focused() ? step(1) : false),
    ArrowUp: () => (focused() ? step(-1) : false),
    r: () => withChosen(reply, canAct),
    e: () => withChosen((message) => openAt(feed, message, "react"), canAct),
    t: () => withChosen((message) => (taskFrom.value = message), canOpenTasks),
    l: () => withChosen(copyLink),
    i: () => withChosen((message) => openAt(feed, message, "reached")),
    ".": () => withChosen((message) => openAt(feed, message, "menu")),
    Enter: enter,
    ArrowRight: enter,
    ...more,
  };
  useKeys(
    Object.fromEntries(
      Object.entries(own).map(([key, run]) => [
        key,
        (event: KeyboardEvent) => (isAsked() ? run(event) : false),
      ]),
    ),
  );
}

/** The first message that is wholly in view, or the last when going back. */
function firstInView(
  box: HTMLElement,
  stops: readonly HTMLElement[],
  by: 1 | -1,
): HTMLElement | undefined {
  const scroller = box.closest(".scroll") ?? box;
  const { top, bottom } = scroller.getBoundingClientRect();
  const shown = stops.filter((stop) => {
    const place = stop.getBoundingClientRect();
    return place.bottom > top && place.top < bottom;
  });
  return by === 1
    ? (shown.find((stop) => stop.getBoundingClientRect().top >= top) ?? shown[0])
    : (shown.findLast((stop) => stop.getBoundingClientRect().bottom <= bottom) ?? shown.at(-1));
}
