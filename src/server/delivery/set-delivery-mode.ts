import type { Handler } from "../handler.ts";
import { recordBy } from "../record.ts";
import { ownAgent } from "../access/own-agent.ts";

export const setDeliveryMode: Handler<"setDeliveryMode"> = (
  tx,
  { caller, board, me },
  { params, body },
) => {
  const agent = ownAgent(tx, caller, board, params.member);
  const changed = agent.delivery_mode !== body.mode;
  const revision = changed
    ? recordBy(tx, { caller, board, me })("agent.delivery_changed", {
        member_id: agent.id,
        name: agent.name,
        before: agent.delivery_mode,
        after: body.mode,
      })
    : agent.delivery_revision;
  return { board: board.name, agent: agent.name, mode: body.mode, revision, changed };
};
