import { boardRowOf } from "../../db/log/log-place.ts";
import { postedAt, senderOf } from "../../db/messages.ts";
import { memberRefAt } from "../member-ref.ts";
import type { Kind } from "./item.ts";
import { openUnread, replyTo, shownMessage } from "./shown-message.ts";

/** Unread mentions of the person by people. A message that asks them or waits for their reply is no second item. */
export const mentions: Kind = (view) => {
  const known = new Set([...view.asks("human"), ...view.causes("reply")].map(({ place }) => place));
  const places = view.causes("mention").filter(({ place }) => !known.has(place));
  return {
    open: places.map(({ place }) => {
      const { at, data } = postedAt(view.tx, place);
      const board = view.board(boardRowOf(place))!;
      return {
        kind: "mention" as const,
        cause: data.message_id,
        urgency: "later" as const,
        at,
        board,
        show() {
          const from = memberRefAt(view.tx, senderOf(view.tx, place));
          return {
            from,
            title: `@${from.name} mentions you`,
            ...shownMessage(view.tx, place),
            actions: [openUnread(board.name), replyTo(board.name, place)],
          };
        },
      };
    }),
  };
};
