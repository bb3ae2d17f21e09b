import { reactions, type ReactionName } from "../../contract/message.ts";
import type { Tx } from "../../db/database.ts";
import { append } from "../../db/log.ts";
import { postedAt } from "../../db/messages.ts";
import { hasReacted } from "../../db/reactions.ts";
import type { Standing } from "../access.ts";
import { actorOf } from "../actor.ts";
import type { Handler } from "../handler.ts";
import { newId } from "../ids.ts";
import { messageRecords } from "./views.ts";

export const addReaction: Handler<"addReaction"> = (tx, standing, { params }) =>
  setReaction(tx, standing, params.reaction, true);

export const removeReaction: Handler<"removeReaction"> = (tx, standing, { params }) =>
  setReaction(tx, standing, params.reaction, false);

function setReaction(
  tx: Tx,
  standing: Standing<"reads-message">,
  name: ReactionName,
  wanted: boolean,
) {
  const { caller, board, me, message } = standing;
  const { message_id } = postedAt(tx, message.place).data;
  if (hasReacted(tx, message.place, name, me.row) !== wanted)
    append(tx, board, {
      id: newId(tx, "evt"),
      type: wanted ? "reaction.added" : "reaction.removed",
      actor: actorOf(caller, me),
      data: { message_id, name, emoji: reactions[name] },
    });
  return messageRecords(tx, board, me, [message])[0]!;
}
