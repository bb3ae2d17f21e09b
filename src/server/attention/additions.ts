import type { Actor } from "../../contract/log.ts";
import { eventAt } from "../../db/log/log.ts";
import { boardRowOf, seqOf } from "../../db/log/log-place.ts";
import { memberWithId } from "../../db/members.ts";
import { memberRef } from "../member-ref.ts";
import type { Kind } from "./item.ts";
import { openUnread } from "./shown-message.ts";

/** Boards that somebody put the person on, until they have read anything there. */
export const additions: Kind = (view) => ({
  open: view.causes("added").map(({ place }) => {
    const { at, actor } = eventAt(view.tx, place)!;
    const board = view.board(boardRowOf(place))!;
    return {
      kind: "added_to_board" as const,
      cause: `${board.id}.${seqOf(place)}`,
      urgency: "later" as const,
      at,
      board,
      show() {
        const { member_id } = JSON.parse(actor) as Actor;
        const by = member_id === null ? null : memberWithId(view.tx, member_id);
        return {
          from: by && memberRef(by),
          title: `${by ? `@${by.name}` : "The server"} put you on ${board.name}`,
          text: board.title ?? "",
          ref: { board_id: board.id, seq: seqOf(place) },
          actions: [openUnread(board.name)],
        };
      },
    };
  }),
});
