import type { ReactionName } from "../../contract/message.ts";
import { reactions } from "../../contract/words.ts";
import type { Tx } from "../../db/engine/database.ts";
import { postedAt } from "../../db/messages.ts";
import { hasReacted } from "../../db/reactions.ts";
import type { Standing } from "../access/caller-standing.ts";
import type { Handler } from "../handler.ts";
import { recordBy } from "../record.ts";
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
  const { board, me, message } = standing;
  const { message_id } = postedAt(tx, message.place).data;
  if (hasReacted(tx, message.place, name, me.row) !== wanted)
    recordBy(tx, standing)(wanted ? "reaction.added" : "reaction.removed", {
      message_id,
      name,
      emoji: reactions[name],
    });
  return messageRecords(tx, board, me, [message])[0]!;
}
