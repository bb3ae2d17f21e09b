import { asAgentOrPerson, type Actor } from "../acting/acting.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
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
    "Where it stands, whose part is missing, and the command that leads on. What it proposes is its writer's word.",
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

/** A request that an agent is listed, though it is on neither side of it and may not read it by itself. */
async function listed({ kind, api }: Actor, wanted: string) {
  if (kind === "person") return undefined;
  return (await api.call("listPairingRequests")).requests.find(({ id }) => id === wanted);
}

/** What leads on is a person's to run, but for what ties a session. */
const isOfSessions = (command: string): boolean => /^pairing (accept|select) /.test(command);
