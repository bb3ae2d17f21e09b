import { useEffect, useMemo, useState } from "preact/hooks";
import { boardOf } from "../../core/boards/board.ts";
import { useKeys } from "../../core/screen/keys.ts";
import type { BoardPlace } from "../../core/screen/router.ts";
import { talkOf } from "../../core/talk/talk.ts";
import { toast } from "../../core/screen/toasts.ts";
import { Composer } from "../../parts/composer/composer.tsx";
import { Icon } from "../../parts/icon.tsx";
import { lazily } from "../../parts/frame/lazily.tsx";
import { TabActs } from "../../parts/frame/tab-acts.tsx";
import { Dock } from "../../parts/frame/dock.tsx";
import { rootSeqOf, taskFrom } from "../../core/talk/message-acts.ts";
import { isFirstRun } from "./is-first-run.ts";
import { filtersNow } from "./filters.ts";
import { Timeline } from "./timeline.tsx";
import { openTimeline, type TimelineView } from "./timeline-view.ts";

const FilterBar = lazily(
  "filters",
  async () => (await import("../../later/later.ts")).FilterBar,
  "nothing",
);
const FirstRun = lazily("first steps", async () => (await import("../../later/later.ts")).FirstRun);
const Filtered = lazily("messages", async () => (await import("../../later/later.ts")).Filtered);
const TaskFrom = lazily(
  "form",
  async () => (await import("../../later/later.ts")).TaskFrom,
  "nothing",
);
const ThreadPanel = lazily(
  "thread",
  async () => (await import("../../later/later.ts")).ThreadPanel,
  "nothing",
);

/** What was said on a board, and where it is written. */
export function Talk({ place }: { place: BoardPlace }) {
  const { board } = place;
  const isFiltered = filtersNow() !== null;
  // A timeline that was away stands where the reader left it.
  const view = useMemo(() => openTimeline(board), [board, isFiltered]);
  useMessagePlace(view, place);
  const thread = threadOf(place);
  const filters = place.part === "message" ? null : filtersNow();
  const [isFiltering, setFiltering] = useState(false);
  const openFilters = () => setFiltering(true);
  useKeys({ f: openFilters });
  return (
    <>
      <TabActs>
        <button
          class="ib"
          type="button"
          aria-label="Filter messages (F)"
          aria-pressed={isFiltering || filters !== null}
          onClick={openFilters}
        >
          <Icon name="filter" />
        </button>
      </TabActs>
      {(isFiltering || filters) && (
        <FilterBar key={board} board={board} onClose={() => setFiltering(false)} />
      )}
      {filters ? (
        <Filtered board={board} filters={filters} />
      ) : isFirstRun(boardOf(board), place) ? (
        <FirstRun key={board} view={boardOf(board)} />
      ) : (
        <Timeline key={board} view={view} />
      )}
      <Dock board={board} />
      <Composer board={board} />
      {taskFrom.value?.board === board && <TaskFrom board={board} />}
      {thread !== null && <ThreadPanel key={`${board} ${thread}`} board={board} seq={thread} />}
    </>
  );
}

/** A panel stands beside the timeline from this width on. In narrower windows it would cover it. */
const isWide = () => matchMedia("(min-width: 56.25em)").matches;

/** The thread beside the timeline: that of the address, or that of the message that the address names. */
function threadOf({ board, part, item }: BoardPlace): number | null {
  const seq = Number(item);
  if (part === "thread") return seq;
  if (part !== "message" || !isWide()) return null;
  const message = talkOf(board).messages.value.find((one) => one.seq === seq);
  return message && (message.thread_root !== null || message.reply_count > 0)
    ? rootSeqOf(message)
    : null;
}

/** Goes to the message that the address names: it stands in the middle and has the focus. */
function useMessagePlace(view: TimelineView, { part, item, board }: BoardPlace): void {
  const seq = part === "message" ? Number(item) : null;
  useEffect(() => {
    if (seq === null) return;
    let isGone = false;
    const show = async () => {
      if (!Number.isSafeInteger(seq) || seq < 1) return missing(item);
      await view.talk.loadAround(seq);
      if (isGone) return;
      view.go({ at: "seq", seq, align: "middle", focus: true });
      if (!view.talk.messages.value.some((one) => one.seq === seq)) missing(seq);
    };
    show().catch(() => missing(seq));
    return () => {
      isGone = true;
    };
  }, [view, board, seq]);
}

const missing = (name: string | number | null) =>
  toast({ text: `There is no message #${name} on this board that you can see.`, isError: true });
