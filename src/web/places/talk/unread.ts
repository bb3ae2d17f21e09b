import { positionOf } from "../../core/talk/position.ts";
import type { Message } from "../../core/talk/talk.ts";
import type { TimelineView } from "./timeline-view.ts";

/** The messages that have been read by nobody here yet, beyond a place. */
export const unreadAfter = (view: TimelineView, seq: number): readonly Message[] =>
  view.talk.messages.value.filter((one) => one.seq > seq && view.reading.isUnread(one));

/** Marks everything on a board as read. */
export function markAllRead({ talk }: TimelineView): void {
  const newest = talk.messages.value.at(-1);
  if (newest) positionOf(talk.board).mark(newest.seq);
}
