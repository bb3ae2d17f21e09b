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
      description: "Their new role: admin or member.",
    },
    ...serverFlag,
  },
  details:
    "For the server's admins. An admin invites and removes people, makes other admins, and can archive, restore and delete every board. The last admin cannot become a member.",
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
