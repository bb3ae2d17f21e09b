import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { handle } from "../frame/values.ts";

export default defineCommand({
  summary: "Make a person an admin or a member of the server",
  acts: "person",
  args: {
    person: { type: "positional", valueHint: "@HANDLE", description: "The person's handle." },
    role: {
      type: "positional",
      options: ["admin", "member"],
      valueHint: "ROLE",
      description: "What they are from now on: admin or member.",
    },
    ...serverFlag,
  },
  details:
    "For the server's admins. An admin invites and removes people, makes other admins, and keeps house on every board. One admin always stays.",
  examples: [["people role @ada admin", "Ada is an admin of the server."]],
  seeAlso: ["people", "people remove"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const { person, changed } = await api.call("setServerRole", {
      params: { handle: handle(args.person) },
      body: { server_role: args.role },
    });
    return {
      json: { server, person, changed },
      text: `@${person.handle} is ${changed ? "now" : "already"} ${person.server_role === "admin" ? "an admin" : "a member"} of ${server.url}.`,
    };
  },
});
