import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import type { OutputOf } from "../../contract/index.ts";
import { span, when } from "../terminal/time-text.ts";
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
      endText(key),
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

type Key = OutputOf<"listKeys">["keys"][number];

/** When a key ends. The end of a key that ends by idleness moves with each use. */
function endText({ expires_at: end, revoked_at: revoked, ...key }: Key): string {
  if (revoked) return `ended ${when(revoked)}`;
  if (!end) return "does not end";
  if (key.state === "expired") return `ended ${when(end)}`;
  return key.idle_expiry_seconds === null
    ? `ends ${when(end)}`
    : `ends ${span(key.idle_expiry_seconds * 1000)} after its last use, now ${when(end)}`;
}
