import { boardRowOf } from "../../db/log/log-place.ts";
import { postedAt, senderOf } from "../../db/messages.ts";
import { memberRefAt } from "../member-ref.ts";
import type { Kind } from "./item.ts";
import { openUnread, replyTo, shownMessage } from "./shown-message.ts";

/** Messages that expect the person's reply and have none. An ask is an item of its own kind. */
export const wantedReplies: Kind = (view) => ({
  open: view.causes("reply").map(({ place }) => {
    const { at, data } = postedAt(view.tx, place);
    const board = view.board(boardRowOf(place))!;
    return {
      kind: "reply_wanted" as const,
      cause: data.message_id,
      urgency: data.urgent ? ("now" as const) : ("later" as const),
      at,
      board,
      show() {
        const from = memberRefAt(view.tx, senderOf(view.tx, place));
        return {
          from,
          title: `@${from.name} waits for your reply`,
          ...shownMessage(view.tx, place),
          actions: [replyTo(board.name, place), openUnread(board.name)],
        };
      },
    };
  }),
});
