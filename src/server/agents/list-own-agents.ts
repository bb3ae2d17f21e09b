import { boardAt } from "../../db/boards.ts";
import { activeAgentsOf } from "../../db/own-agents.ts";
import { memberOn } from "../access/visible-boards.ts";
import type { Handler } from "../handler.ts";
import { memberRecord } from "./views.ts";

export const listOwnAgents: Handler<"listOwnAgents"> = (tx, { caller }) => {
  const { seat, person } = caller;
  // A guest's agent learns of its own board only.
  const only = person.server_role === "guest" ? seat : null;
  const agents = activeAgentsOf(tx, person.row).filter(
    ({ board_row }) => !only || board_row === only.board_row,
  );
  return {
    agents: agents.map((agent) => {
      const board = boardAt(tx, agent.board_row)!;
      return memberRecord(tx, board, agent, seat ?? memberOn(tx, caller, board)!);
    }),
  };
};
