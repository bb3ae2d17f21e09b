import { defineCommand } from "../frame/command.ts";
import { endPairing, pairingArgs } from "./end-pairing.ts";

export default defineCommand({
  summary: "Take back a pairing request",
  acts: "person",
  args: pairingArgs,
  details:
    "For the person who asked. The request ends; an invitation that was made with it can still be accepted.",
  seeAlso: ["pairing", "pairing decline"],
  run: ({ args, data: cli }) => endPairing(cli, args, "cancelPairingRequest"),
});
