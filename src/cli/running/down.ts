import { defineCommand } from "../frame/command.ts";
import { stopDaemon } from "../local-daemon/own-daemon.ts";
import { stopLocalServer } from "../local-server/local-server.ts";
import { localServer } from "../../client/machine/servers.ts";

export default defineCommand({
  summary: "Stop the local server and the delivery daemon",
  acts: "neutral",
  details:
    "Stops the local server and the delivery daemon of this machine, and waits until they have ended. Nothing stored is lost. An open session starts the daemon again with its next hook.",
  seeAlso: ["up", "status"],
  async run({ data: cli }) {
    const server = localServer(cli);
    // A daemon that does not stop keeps no server running.
    const [daemon] = await Promise.allSettled([stopDaemon(cli)]);
    const stopped = await stopLocalServer(cli);
    if (daemon.status === "rejected") throw daemon.reason;
    const daemonStopped = daemon.value;
    const serverText = stopped
      ? `Local server at ${server.url}: stopped.`
      : `Local server at ${server.url}: it was not running.`;
    return {
      json: { server, server_stopped: stopped, daemon_stopped: daemonStopped },
      text: daemonStopped ? `${serverText}\nDelivery daemon: stopped.` : serverText,
    };
  },
});
