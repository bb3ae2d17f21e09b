import { defineCommand } from "../frame/command.ts";
import { stopLocalServer } from "../local-server/local-server.ts";
import { localServer } from "../../client/machine/servers.ts";

export default defineCommand({
  summary: "Stop the local server",
  acts: "neutral",
  details: "Stops the local server and waits until it has ended. Nothing stored is lost.",
  seeAlso: ["up", "status"],
  async run({ data: cli }) {
    const server = localServer(cli);
    const stopped = await stopLocalServer(cli);
    return {
      json: { server, server_stopped: stopped, daemon_stopped: false },
      text: stopped
        ? `Local server at ${server.url}: stopped.`
        : `Local server at ${server.url}: it was not running.`,
    };
  },
});
