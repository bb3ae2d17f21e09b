import type { BoardView } from "../../core/boards/board.ts";
import { unsent } from "../../core/sending/outbox.ts";
import type { BoardPlace } from "../../core/screen/router.ts";
import { isGuest } from "../../core/connection/session.ts";
import { talkOf } from "../../core/talk/talk.ts";

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
