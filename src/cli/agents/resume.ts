import { agentFlags, defineCommand } from "../frame/command.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { hinted } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Bind this session to one of your agents",
  acts: "neutral",
  args: {
    agent: { type: "positional", description: "One of this machine's agents." },
    board: agentFlags.board,
  },
  details:
    "Binding a session to an agent takes a delivery daemon, and this build has none: name the agent in each command with `--as NAME`, or set SERVICE_AGENT.",
  seeAlso: ["status"],
  run({ args }) {
    throw new LocalError(
      "daemon_not_running",
      "Binding a session to an agent takes a delivery daemon, and this build has none.",
      `Name the agent in each command instead, in a session and in a terminal: ${hinted({ words: "inbox", flags: { as: args.agent } })}, or set SERVICE_AGENT.`,
    );
  },
});
