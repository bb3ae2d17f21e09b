import { asPerson } from "../acting.ts";
import { oneLine } from "../clean.ts";
import { defineCommand, serverFlag } from "../command.ts";
import { when } from "../render/time.ts";
import { columns } from "../table.ts";

export default defineCommand({
  summary: "List the people on the server",
  acts: "person",
  args: serverFlag,
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
