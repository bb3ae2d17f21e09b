import { useEffect, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import { boardNamed } from "../../core/boards/overview.ts";
import { Icon } from "../../parts/icon.tsx";
import type { TimelineView } from "./timeline-view.ts";
import { markAllRead, unreadAfter } from "./unread.ts";
import { askers, momentOf } from "./words.ts";

/** Goes to the first message that has not been read. It is read from the server when it is not held. */
export function goToUnread(view: TimelineView): void {
  const first = view.reading.firstUnread();
  if (first === null) return;
  const goTo = (seq: number) =>
    view.go({ at: "seq", seq, align: 0.25, focus: true }, { remembers: true });
  if (first) return goTo(first.seq);
  void firstAfter(view)
    .then(async (found) => {
      if (!found) return;
      await view.talk.loadAround(found.seq);
      goTo(found.seq);
    })
    // Without an answer the bar stays, and can be asked again.
    .catch(() => {});
}

const firstAfter = async ({ talk, reading }: TimelineView) => {
  const query = { after: reading.upTo, limit: 1 };
  const page = await api.call("listMessages", { params: { board: talk.board }, query });
  return page.messages[0];
};

/** Says how much is unread above what is in view, and leads there. */
export function AboveBar({ view }: { view: TimelineView }) {
  const { reading, talk, place } = view;
  const { first } = place.value;
  void talk.messages.value;
  const unread = reading.firstUnread();
  const isHeld = unread !== undefined;
  const since = useTimeOfUnread(view, !isHeld && first > 0);
  if (first === 0 || unread === null || (unread && unread.seq >= first)) return null;
  const count = isHeld
    ? talk.messages.value.filter((one) => one.seq < first && reading.isUnread(one)).length
    : (boardNamed(talk.board)?.unread ?? 0);
  if (count === 0) return null;
  return (
    <div class="strip above" role="region" aria-label="Unread messages above">
      <span>
        <b>
          {isHeld
            ? `${count.toLocaleString("en-GB")} unread above`
            : `${count.toLocaleString("en-GB")} new${since ? ` since ${momentOf(since)}` : ""}`}
        </b>
      </span>
      <span class="end">
        <button class="b" type="button" onClick={() => goToUnread(view)}>
          Go there <kbd>U</kbd>
        </button>
        <button class="b" type="button" onClick={() => markAllRead(view)}>
          Mark read <kbd>M</kbd>
        </button>
      </span>
    </div>
  );
}

/** When the first unread message was written, if it is not held. */
function useTimeOfUnread(view: TimelineView, isWanted: boolean): string | null {
  const [at, setAt] = useState<string | null>(null);
  useEffect(() => {
    if (isWanted)
      // Without an answer the bar leaves the time out.
      firstAfter(view).then(
        (found) => setAt(found?.at ?? null),
        () => {},
      );
  }, [isWanted, view]);
  return at;
}

/** Leads to what is new below, and to the newest. */
export function JumpButton({ view }: { view: TimelineView }) {
  const { isAtEnd, last } = view.place.value;
  const messages = view.talk.messages.value;
  if (isAtEnd || last === 0 || messages.length === 0) return null;
  const below = unreadAfter(view, last);
  return (
    <div class="jump">
      {below[0] && (
        <button
          type="button"
          onClick={() =>
            view.go({ at: "seq", seq: below[0]!.seq, align: 0.25 }, { remembers: true })
          }
        >
          <Icon name="newest" small />
          {below.length.toLocaleString("en-GB")} new{askers(below)}
        </button>
      )}
      <button type="button" onClick={() => view.go({ at: "end" }, { remembers: true })}>
        Newest <kbd>End</kbd>
      </button>
    </div>
  );
}
