import { closed, record, t } from "./schema.ts";
import { callers, operation } from "./operation.ts";
import { BoardName, DeliveryMode, MemberName, Seq } from "./scalars.ts";

export const setDeliveryMode = operation({
  method: "PUT",
  path: "/v1/boards/:board/members/:member/delivery",
  tag: "joining",
  summary: "Set which messages wake one of the caller's agents",
  access: "on-board",
  callers: callers.people,
  replay: "kept",
  params: t.Object({ board: BoardName, member: MemberName }),
  body: closed({ mode: DeliveryMode }),
  response: record({
    board: BoardName,
    agent: MemberName,
    mode: DeliveryMode,
    revision: Seq,
    changed: t.Boolean(),
  }),
  errors: ["agent_not_found", "agent_owner_required"],
});
