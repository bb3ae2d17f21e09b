import { defineCommand, serverFlag } from "../frame/command.ts";
import { needsDaemon } from "./needs-daemon.ts";

export default defineCommand({
  summary: "Answer a pairing request with this session",
  acts: "neutral",
  args: {
    id: {
      type: "positional",
      required: false,
      valueHint: "ID",
      description: "The pairing request (else the only one that waits for you).",
    },
    here: { type: "boolean", description: "This session." },
    replace: { type: "boolean", description: "In the place of the one that is selected." },
    ...serverFlag,
  },
  details:
    "Ties this session to your side of a request that somebody made you. It takes a delivery daemon, and this build has none: the two agents can write to each other meanwhile, with `--as NAME`.",
  seeAlso: ["pairing show", "pairing decline"],
  run({ args }) {
    throw needsDaemon(args, "decline");
  },
});
