import { buildInfo } from "../../client/build-info.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Print which build this is",
  acts: "neutral",
  inSubagent: true,
  run: () => ({ json: buildInfo, text: `service ${buildInfo.version}` }),
});
