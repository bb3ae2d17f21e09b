import type { BoardView } from "../../core/board.ts";
import { unsent } from "../../core/outbox.ts";
import type { BoardPlace } from "../../core/router.ts";
import { isGuest } from "../../core/session.ts";
import { talkOf } from "../../core/talk.ts";

/** Whether nothing was said on a board yet, so that its talk shows how agents come to it. */
export function isFirstRun(view: BoardView, place: BoardPlace): boolean {
  const { messages, state } = talkOf(view.name);
  return (
    place.part === "talk" &&
    view.info.value?.lifecycle === "active" &&
    !isGuest.value &&
    state.value === "ready" &&
    messages.value.length === 0 &&
    !unsent.value.some(({ board }) => board === view.name)
  );
}
