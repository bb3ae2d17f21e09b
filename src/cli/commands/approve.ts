import { asPerson } from "../acting.ts";
import { oneLine } from "../clean.ts";
import { defineCommand, serverFlag, yesFlag } from "../command.ts";
import { confirmed } from "../questions.ts";
import { when } from "../render/time.ts";

export default defineCommand({
  acts: "person",
  args: {
    code: { type: "positional", description: "The code that the other machine shows." },
    refuse: { type: "boolean", description: "Refuse it: the other machine gets no key." },
    ...yesFlag,
    ...serverFlag,
  },
  details:
    "Another machine that asked for a key of yours, with `connect URL --handle YOU`, gets one of its own. Its name is its own claim: approve only a code that you see on a machine of yours.",
  examples: [["approve 7QK-M2X", "Let the machine that shows this code act for you."]],
  seeAlso: ["connect", "keys"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const body = { code: args.code };
    const asked = await api.call("lookupMachineRequest", { body });
    const who = `A machine that calls itself ${oneLine(asked.label)}, at ${asked.requested_from || "an unknown address"}, asked ${when(asked.created_at)} to act as @${asked.person.handle} at ${server.url}.`;
    if (args.refuse) {
      const request = await api.call("refuseMachineRequest", { body });
      return {
        json: { server, request, approved: false },
        text: `Refused: ${oneLine(request.label)} gets no key.`,
      };
    }
    if (!args.yes && !confirmed(cli, `${who} Give it a key?`))
      return {
        json: { server, request: asked, approved: false },
        text: `Nothing was decided; the request ends ${when(asked.expires_at)}.`,
      };
    const request = await api.call("approveMachineRequest", { body });
    return {
      json: { server, request, approved: true },
      text: `Approved: ${oneLine(request.label)} gets a key of its own. ${cli.typed("keys")} lists it.`,
    };
  },
});
