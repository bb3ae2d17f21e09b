import { defineCommand } from "../frame/command.ts";
import { endPairing, pairingArgs } from "./end-pairing.ts";

export default defineCommand({
  summary: "Take back a pairing request",
  acts: "person",
  args: pairingArgs,
  details:
    "For whoever asked. It is over then; an invitation that it came with can still be accepted.",
  seeAlso: ["pairing", "pairing decline"],
  run: ({ args, data: cli }) => endPairing(cli, args, "cancelPairingRequest"),
});
