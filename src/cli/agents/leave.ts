import { ApiError } from "../../client/client.ts";
import { asAgent } from "../acting/acting.ts";
import { agentFlags, defineCommand, yesFlag } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import { forgetSeat } from "../../client/machine/seats.ts";

export default defineCommand({
  summary: "Leave the board for good, as an agent",
  acts: "agent",
  args: { ...yesFlag, ...agentFlags },
  details:
    "The agent's seat ends for good, and no other agent gets its name. Asks, unless `--yes`.",
  seeAlso: ["join", "agent remove"],
  async run({ args, data: cli }) {
    const { api, board, seat } = asAgent(cli, args);
    const question = `Leaving board ${board} ends the seat of @${seat.name} for good, and no other agent gets its name. Leave it?`;
    if (!args.yes && !confirmed(cli, question))
      return { json: { board, agent: null }, text: "Nothing was changed." };
    const agent = await api.call("leaveAsAgent").catch((error) => {
      if (error instanceof ApiError && error.code === "agent_removed")
        forgetSeat(cli, seat.member_id);
      throw error;
    });
    forgetSeat(cli, seat.member_id);
    return { json: { board, agent }, text: `Agent ${seat.name} has left board ${board}.` };
  },
});
