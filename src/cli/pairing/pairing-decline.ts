import { defineCommand } from "../frame/command.ts";
import { endPairing, pairingArgs } from "./end-pairing.ts";

export default defineCommand({
  summary: "Decline a pairing request",
  acts: "person",
  args: pairingArgs,
  details: "For the person who was asked. The request ends; declining it again changes nothing.",
  seeAlso: ["pairing", "pairing cancel"],
  run: ({ args, data: cli }) => endPairing(cli, args, "declinePairingRequest"),
});
