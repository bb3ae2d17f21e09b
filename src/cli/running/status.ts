import { actorFlags, defineCommand } from "../frame/command.ts";
import { typedHere } from "../frame/output.ts";
import { gather } from "./gather-status.ts";
import { statusText } from "./status-text.ts";

export default defineCommand({
  summary: "Show the server, the board and the agent that commands would use",
  acts: "neutral",
  inSubagent: true,
  args: actorFlags,
  details: "Only reads: it starts no server and changes nothing.",
  seeAlso: ["whoami", "servers", "up"],
  async run({ args, data: cli }) {
    const status = await gather(cli, args);
    return { json: status, text: statusText(status, (text) => typedHere(cli, text)) };
  },
});
