import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { typedHere } from "../output.ts";
import { gather } from "../status.ts";
import { statusText } from "../render/status.ts";

export default defineCommand({
  summary: "Show the server, the board and the agent that commands would use",
  acts: "neutral",
  inSubagent: true,
  args: { ...agentFlags, ...serverFlag },
  details: "Starts nothing.",
  seeAlso: ["whoami", "servers", "up"],
  async run({ args, data: cli }) {
    const status = await gather(cli, args);
    return { json: status, text: statusText(status, (text) => typedHere(cli, text)) };
  },
});
