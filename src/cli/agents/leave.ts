import { ApiError } from "../../client/client.ts";
import { asAgent } from "../acting/acting.ts";
import { agentFlags, defineCommand } from "../frame/command.ts";
import { forgetSeat } from "../../client/machine/seats.ts";

export default defineCommand({
  summary: "Leave the board for good, as an agent",
  acts: "agent",
  args: agentFlags,
  details: "The agent's seat ends for good, and no other agent gets its name.",
  seeAlso: ["join", "agent remove"],
  async run({ args, data: cli }) {
    const { api, board, seat } = asAgent(cli, args);
    const agent = await api.call("leaveAsAgent").catch((error) => {
      if (error instanceof ApiError && error.code === "agent_removed")
        forgetSeat(cli, seat.member_id);
      throw error;
    });
    forgetSeat(cli, seat.member_id);
    return { json: { board, agent }, text: `Agent ${seat.name} has left board ${board}.` };
  },
});
