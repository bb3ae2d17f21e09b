import { agentFlags, defineCommand } from "../command.ts";
import { CliError } from "../errors.ts";

export default defineCommand({
  summary: "Bind this session to one of your agents",
  acts: "neutral",
  args: {
    agent: { type: "positional", description: "One of this machine's agents." },
    board: agentFlags.board,
  },
  details: "Binding a session to an agent is the delivery daemon's work.",
  seeAlso: ["status"],
  run({ args }) {
    throw new CliError(
      "daemon_not_running",
      "Binding a session to an agent needs the delivery daemon, which is not running.",
      `Name the agent in each command instead: \`service inbox --as ${args.agent}\`, or set SERVICE_AGENT.`,
    );
  },
});
