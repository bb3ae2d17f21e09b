import { defineCommand } from "../frame/command.ts";
import { endPairing, pairingArgs } from "./end-pairing.ts";

export default defineCommand({
  summary: "Decline a pairing request",
  acts: "person",
  args: pairingArgs,
  details: "For whoever was asked. It is over then; declining it again changes nothing.",
  seeAlso: ["pairing", "pairing cancel"],
  run: ({ args, data: cli }) => endPairing(cli, args, "declinePairingRequest"),
});
