import { idForm } from "../../contract/forms.ts";
import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";

export default defineCommand({
  summary: "Sign one browser out",
  acts: "person",
  args: {
    session: { type: "positional", valueHint: "ID", description: "The session's id, `ses_…`." },
    ...serverFlag,
  },
  details: "Your other browsers stay signed in.",
  examples: [
    ["keys sessions end ses_01JZ8V5R6C0N3W7Q2X9KD4MBTE", "The browser with this id is signed out."],
  ],
  seeAlso: ["keys sessions", "logout"],
  async run({ args, data: cli }) {
    if (!new RegExp(idForm("ses")).test(args.session))
      throw usageError(
        `${args.session} is not the id of a browser session.`,
        "`service keys sessions` lists them with their ids.",
      );
    const { api, server } = await asPerson(cli, args);
    const session = await api.call("endBrowserSession", { params: { session: args.session } });
    return {
      json: { server, session },
      text: `Signed out of the browser ${session.id} (key ${session.key.name}) at ${server.url}.`,
    };
  },
});
