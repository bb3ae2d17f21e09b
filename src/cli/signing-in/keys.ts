import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { when } from "../terminal/time-text.ts";
import { columns, counted } from "../terminal/table.ts";

export default defineCommand({
  summary: "List your access keys",
  acts: "person",
  args: serverFlag,
  details: "Oldest first, with the keys that have ended.",
  seeAlso: ["keys create", "keys revoke", "keys sessions", "login"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const { person, keys, current_key_id } = await api.call("listKeys");
    const rows = keys.map((key) => [
      key.name,
      key.state ?? "working",
      key.last_used_at ? `used ${when(key.last_used_at)}` : "never used",
      key.expires_at ? `ends ${when(key.expires_at)}` : "does not end",
      counted(key.agent_seats ?? 0, "agent", "agents"),
      counted(key.browser_sessions ?? 0, "browser", "browsers"),
      key.id === current_key_id ? "this machine's" : "",
    ]);
    return {
      json: { server, person, keys, current_key_id },
      text: `Keys of @${person.handle} at ${server.url}:\n${columns(rows)}`,
    };
  },
});
