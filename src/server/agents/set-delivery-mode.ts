import { refuse } from "../../contract/refusal.ts";
import { append } from "../../db/log.ts";
import { memberNamed } from "../../db/members.ts";
import { actorOf } from "../actor.ts";
import type { Handler } from "../handler.ts";
import { newId } from "../ids.ts";

export const setDeliveryMode: Handler<"setDeliveryMode"> = (
  tx,
  { caller, board, me },
  { params, body },
) => {
  const agent = memberNamed(tx, board.row, params.member);
  if (agent?.kind !== "agent" || agent.status !== "active")
    throw refuse("agent_not_found", { name: params.member, board: board.name });
  if (agent.person_row !== caller.person.row)
    throw refuse("agent_owner_required", { owner: `@${agent.handle}` });

  const changed = agent.delivery_mode !== body.mode;
  const revision = changed
    ? append(tx, board, {
        id: newId(tx, "evt"),
        type: "agent.delivery_changed",
        actor: actorOf(caller, me),
        data: {
          member_id: agent.id,
          name: agent.name,
          before: agent.delivery_mode,
          after: body.mode,
        },
      })
    : agent.delivery_revision;
  return { board: board.name, agent: agent.name, mode: body.mode, revision, changed };
};
