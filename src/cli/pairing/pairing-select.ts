import { defineCommand } from "../frame/command.ts";
import { needsDaemon, sessionDetails, sessionFlags } from "./needs-daemon.ts";

export default defineCommand({
  summary: "Make this session your side of a pairing request that you made",
  acts: "neutral",
  args: {
    id: {
      type: "positional",
      valueHint: "ID",
      description: "The pairing request that you made.",
    },
    ...sessionFlags,
  },
  details: sessionDetails,
  seeAlso: ["pairing show", "pairing cancel"],
  run({ args }) {
    throw needsDaemon(args, "cancel");
  },
});
