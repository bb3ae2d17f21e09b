import { defineCommand } from "../frame/command.ts";
import { needsDaemon, sessionDetails, sessionFlags } from "./needs-daemon.ts";

export default defineCommand({
  summary: "Accept a pairing request with this session",
  acts: "neutral",
  args: {
    id: {
      type: "positional",
      required: false,
      valueHint: "ID",
      description: "The pairing request (else the only one that waits for you).",
    },
    ...sessionFlags,
  },
  details: sessionDetails,
  seeAlso: ["pairing show", "pairing decline"],
  run({ args }) {
    throw needsDaemon(args, "decline");
  },
});
