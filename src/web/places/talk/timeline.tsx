import { untracked, useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { folds } from "../../core/screen/folds.ts";
import { boardNamed, boards } from "../../core/boards/overview.ts";
import { positionOf } from "../../core/talk/position.ts";
import { dayOf, now } from "../../core/screen/time.ts";
import { followCurrent } from "../../parts/messages/feed.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { memo } from "../../parts/messages/memo.ts";
import { UnsentMessages } from "../../parts/messages/unsent.tsx";
import { Failed } from "../../parts/problem.tsx";
import { AboveBar, JumpButton } from "./marks.tsx";
import { Arrivals } from "./arrivals.tsx";
import { TimelineRow, type RowPlace } from "./rows.tsx";
import type { Block } from "./row-list.ts";
import { followShown } from "./shown.ts";
import { useTimelineKeys } from "./timeline-keys.ts";
import type { TimelineView } from "./timeline-view.ts";
import { useSinceLine } from "./since.ts";
import { counted, momentOf } from "./words.ts";

/** What was said on a board, oldest first. Rows that are far from what is in view are not in the document. */
export function Timeline({ view }: { view: TimelineView }) {
  const { talk, reading, window } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const feed = useRef<HTMLDivElement>(null);
  const state = talk.state.value;
  const today = useComputed(
    () => dayOf(new Date(now.value).toISOString()) + new Date(now.value).getDate(),
  );
  useLayoutEffect(() => view.attach(scroller.current!, feed.current!), [view]);
  useSignalEffect(() => {
    // What rows are made of. Whatever else is read while they are made does not make them again.
    void [talk.messages.value, talk.quiet.value, talk.stretches.value, talk.state.value];
    void [folds.value, reading.since.value, boards.value === null, today.value];
    untracked(() => {
      reading.moveOn();
      view.refresh();
    });
  });
  const blocks = view.blocks.value;
  const shown = window.shown.value;
  const followed = useRef<ReturnType<typeof followShown> | null>(null);
  useEffect(() => {
    const follower = followShown(scroller.current!, reading.isWanted, reading.shown);
    followed.current = follower;
    return follower.end;
  }, [view]);
  useEffect(() => () => view.end(), [view]);
  useLayoutEffect(() => {
    view.follow();
    view.settle();
    followed.current?.look();
  }, [blocks, shown]);
  useTimelineKeys(view, feed);
  useSinceLine(view, feed);
  const place = usePlace(view);
  const isEmpty = state === "ready" && talk.messages.value.length === 0;
  return (
    <>
      <AboveBar view={view} />
      <div class="scroll talk" ref={scroller} tabIndex={-1} onScroll={view.look}>
        {state === "loading" && blocks.length === 0 && <Bones what="messages" />}
        {state instanceof Error && (
          <Failed
            what="The messages could not be read."
            error={state}
            again={() => void talk.load()}
          />
        )}
        {isEmpty && <Empty />}
        <div
          class="feed"
          role="feed"
          ref={feed}
          aria-label="Messages"
          aria-busy={state === "loading"}
          {...followCurrent("talk")}
        >
          {blocks.map((block) => (
            <BlockBox
              key={block.key}
              block={block}
              view={view}
              place={place}
              isShown={shown.has(block.key)}
            />
          ))}
          <UnsentMessages board={talk.board} />
        </div>
        <JumpButton view={view} />
      </div>
      <Arrivals talk={talk} />
    </>
  );
}

const Empty = () => (
  <div class="blank b0">
    <h2>Nothing has been said here yet</h2>
    <p class="muted">Write the first message below. Everybody on the board reads it.</p>
  </div>
);

/** What the rows need to know. It is the same object until something of it changes. */
function usePlace(view: TimelineView): RowPlace {
  const { board, messages } = view.talk;
  const since = view.reading.since.value;
  const held = since
    ? messages.value.filter(({ seq, sender }) => seq > since.seq && sender !== "self").length
    : 0;
  // Where some are not held, the server knows how many there are.
  const news = Math.max(held, view.reading.firstUnread() ? (boardNamed(board)?.unread ?? 0) : 0);
  const words = since
    ? `New${since.at ? ` since ${momentOf(since.at)}` : ""} · ${counted(news, "message")}`
    : null;
  // The position is followed, so that it is told when the reader was the last to move it.
  void positionOf(board).upTo.value;
  return useMemo(() => ({ board, since: words, loadGap: view.loadGap }), [board, words, view]);
}

/** Some rows of the timeline. Out of the document they are an empty box of their height. */
const BlockBox = memo(function BlockBox({
  block,
  view,
  place,
  isShown,
}: {
  block: Block;
  view: TimelineView;
  place: RowPlace;
  isShown: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (isShown ? view.window.measure(box.current!) : undefined), [isShown]);
  return (
    <div
      ref={box}
      class={isShown ? "blk" : "blk off"}
      data-block={block.key}
      style={isShown ? {} : { blockSize: `${view.window.heightOf(block)}px` }}
    >
      {isShown && block.rows.map((row) => <TimelineRow key={row.key} row={row} place={place} />)}
    </div>
  );
});
