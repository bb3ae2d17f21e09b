import { daemonSocket } from "../../client/machine/daemon-files.ts";
import { defineCommand } from "../frame/command.ts";
import { ensureDaemon } from "../local-daemon/own-daemon.ts";

export default defineCommand({
  summary: "Start the delivery daemon in the background",
  acts: "neutral",
  details:
    "Starts the daemon that delivers messages into open sessions of agents, and returns once it answers. Hooks and commands start it by themselves when they need it.",
  seeAlso: ["daemon", "down", "status"],
  async run({ data: cli }) {
    const { pid, started } = await ensureDaemon(cli);
    return {
      // Extensions learn from this where to connect.
      json: { pid, started, socket: daemonSocket(cli.folders, cli.system.userId) },
      text: `Delivery daemon: ${started ? "started" : "already running"}, process ${pid}.`,
    };
  },
});
