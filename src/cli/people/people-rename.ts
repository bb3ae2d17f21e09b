import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { renameSaved } from "../../client/machine/servers.ts";
import { handle } from "../frame/values.ts";

export default defineCommand({
  summary: "Change a person's handle",
  acts: "person",
  args: {
    person: {
      type: "positional",
      valueHint: "@HANDLE",
      description: "The person's current handle.",
    },
    to: { type: "positional", valueHint: "HANDLE", description: "The new handle." },
    ...serverFlag,
  },
  details:
    "You may rename yourself, and the server's admins anybody. Keys, seats and read positions stay; boards show the new name. Both handles stay reserved for this person.",
  examples: [["people rename @ada lovelace", "Ada is called lovelace from now on."]],
  seeAlso: ["people"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const { person, changed } = await api.call("renamePerson", {
      params: { handle: handle(args.person) },
      body: { handle: handle(args.to) },
    });
    renameSaved(cli, server, person);
    return {
      json: { server, person, changed },
      text: changed
        ? `@${handle(args.person)} is @${person.handle} from now on at ${server.url}.`
        : `That is @${person.handle}'s handle already.`,
    };
  },
});
