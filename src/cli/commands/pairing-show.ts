import { asAgentOrPerson } from "../acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { readerOf } from "../pairing/whose.ts";
import { pairingText } from "../render/pairing.ts";

export default defineCommand({
  acts: "either",
  args: {
    id: { type: "positional", valueHint: "ID", description: "The pairing request (prq_…)." },
    ...agentFlags,
    ...serverFlag,
  },
  details:
    "Where it stands, whose part is missing, and the command that leads on. What it proposes is its writer's word.",
  seeAlso: ["pairing", "pairing accept", "pairing decline"],
  async run({ args, data: cli }) {
    const actor = await asAgentOrPerson(cli, args);
    const { kind, api, server } = actor;
    const request = await api.call("getPairingRequest", { params: { pairing: args.id } });
    // The command that leads on is a person's, on a server that they name.
    const typed = kind === "agent" ? null : (line: string) => cli.typed(line);
    return { json: { server, request }, text: pairingText(request, await readerOf(actor), typed) };
  },
});
