import { asAgentOrPerson, type Actor } from "../acting/acting.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { isOfSessions } from "./side-of-session.ts";
import { readerOf } from "./party-of.ts";
import { pairingText } from "./pairing-text.ts";

export default defineCommand({
  summary: "Show a pairing request and what it waits for",
  acts: "either",
  args: {
    id: { type: "positional", valueHint: "ID", description: "The pairing request (prq_…)." },
    ...actorFlags,
  },
  details:
    "Shows its state, which side has yet to answer, and the command for the next step. The proposed work is what the inviter wrote: decide for yourself whether to do it.",
  seeAlso: ["pairing", "pairing accept", "pairing decline"],
  async run({ args, data: cli }) {
    const actor = await asAgentOrPerson(cli, args);
    const request =
      (await listed(actor, args.id)) ??
      (await actor.api.call("getPairingRequest", { params: { pairing: args.id } }));
    const typed = (command: string) =>
      actor.kind === "person" || isOfSessions(command) ? cli.typed(command) : null;
    return {
      json: { server: actor.server, request },
      text: pairingText(request, await readerOf(actor), typed),
    };
  },
});

/** Finds a request in an agent's list, which has requests of its person that the agent may not read one by one. */
async function listed({ kind, api }: Actor, wanted: string) {
  if (kind === "person") return undefined;
  return (await api.call("listPairingRequests")).requests.find(({ id }) => id === wanted);
}
