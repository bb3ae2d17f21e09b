import { defineCommand, serverFlag } from "../frame/command.ts";
import { needsDaemon } from "./needs-daemon.ts";

export default defineCommand({
  summary: "Make this session your side of a pairing request that you made",
  acts: "neutral",
  args: {
    id: {
      type: "positional",
      valueHint: "ID",
      description: "The pairing request that you made.",
    },
    here: { type: "boolean", description: "This session." },
    replace: { type: "boolean", description: "In the place of the one that is selected." },
    ...serverFlag,
  },
  details:
    "Ties this session to your side of a request that you made. It takes a delivery daemon, and this build has none: the two agents can write to each other meanwhile, with `--as NAME`.",
  seeAlso: ["pairing show", "pairing cancel"],
  run({ args }) {
    throw needsDaemon(args, "cancel");
  },
});
