import type { RefObject } from "preact";
import { folds, setFold } from "../../core/screen/folds.ts";
import { current } from "../../core/talk/message-acts.ts";
import { useFeedKeys } from "../../parts/messages/feed.tsx";
import { goToUnread } from "./marks.tsx";
import type { TimelineView } from "./timeline-view.ts";
import { markAllRead } from "./unread.ts";

/** The keys of a board's timeline. */
export function useTimelineKeys(view: TimelineView, feed: RefObject<HTMLElement | null>): void {
  const fold = (): void | false => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-root]");
    const held = view.talk.messages.value.find(({ id }) => id === current.value?.id);
    const root = focused?.dataset["root"] ?? held?.thread_root;
    if (!root) return false;
    setFold(root, !folds.value.has(root));
  };
  useFeedKeys({
    feed: "talk",
    box: feed,
    isAsked: () => true,
    messageOf: (id) => view.talk.messages.value.find((one) => one.id === id),
    more: {
      u: () => goToUnread(view),
      End: () => view.go({ at: "end" }, { remembers: true }),
      "Alt+ArrowLeft": () => (view.goBack() ? undefined : false),
      m: () => markAllRead(view),
      z: fold,
    },
  });
}
