import { asPerson, type PersonFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { serverFlag, type Answer } from "../frame/command.ts";

/** The arguments of a person's command about one pairing request. */
export const pairingArgs = {
  id: { type: "positional", valueHint: "ID", description: "The pairing request (prq_…)." },
  ...serverFlag,
} as const;

/** Ends a pairing request as a person. */
export async function endPairing(
  cli: Cli,
  { id, ...flags }: PersonFlags & { readonly id: string },
  operation: "declinePairingRequest" | "cancelPairingRequest",
): Promise<Answer> {
  const { api, server } = await asPerson(cli, flags);
  const request = await api.call(operation, { params: { pairing: id } });
  return { json: { server, request }, text: `The pairing request ${id} is ${request.state}.` };
}
