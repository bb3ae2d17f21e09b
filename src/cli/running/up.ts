import { buildInfo, buildName } from "../../client/build-info.ts";
import { defineCommand } from "../frame/command.ts";
import { ensureLocalServer } from "../local-server/local-server.ts";
import { serverPid } from "../local-server/server-process.ts";

export default defineCommand({
  summary: "Start the local server in the background",
  acts: "neutral",
  details:
    "Commands start the local server by themselves when they need it; `up` only starts it, or replaces a running one of an older build.",
  seeAlso: ["down", "status", "serve"],
  async run({ data: cli }) {
    const { url, started, replaced } = await ensureLocalServer(cli);
    const state = replaced
      ? `replaced ${buildName(replaced.from)} by ${buildName(replaced.to)}`
      : started
        ? "started"
        : "already running";
    return {
      json: {
        server: { name: "local", url },
        started,
        replaced,
        pid: serverPid(cli),
        data_dir: cli.folders.data,
        version: buildInfo.version,
      },
      text: `Local server at ${url}: ${state}.`,
    };
  },
});
