import { asPerson } from "../acting/acting.ts";
import { oneLine } from "../terminal/clean.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { when } from "../terminal/time-text.ts";
import { columns } from "../terminal/table.ts";

export default defineCommand({
  summary: "List the people on the server",
  acts: "person",
  args: serverFlag,
  details: "Shows each person's handle, name, role on the server, and when they came.",
  seeAlso: ["board people", "people role", "people remove", "invite"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const answer = await api.call("listServerPeople");
    const people = "people" in answer ? answer.people : [];
    const rows = people.map((one) => [
      `@${one.handle}`,
      oneLine(one.display_name ?? ""),
      one.server_role,
      `since ${when(one.created_at)}`,
    ]);
    return { json: { server, people }, text: `People of ${server.url}:\n${columns(rows)}` };
  },
});
