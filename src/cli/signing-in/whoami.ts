import { asAgentOrPerson } from "../acting/acting.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { oneLine } from "../terminal/clean.ts";
import { renameSaved } from "../../client/machine/servers.ts";

export default defineCommand({
  summary: "Say who you act as",
  acts: "either",
  args: actorFlags,
  details: "Shows the agent that is selected, else the person, and their server.",
  seeAlso: ["status", "servers"],
  async run({ args, data: cli }) {
    const { api, server } = await asAgentOrPerson(cli, args);
    const me = await api.call("getMe");
    // Somebody else may have renamed them since this machine wrote it down.
    if (me.kind === "human") renameSaved(cli, server, { id: me.id, handle: me.name });
    const shownName = me.display_name ? ` (${oneLine(me.display_name)})` : "";
    return {
      json: { server, me },
      text:
        me.kind === "agent"
          ? `Agent ${me.name} of @${me.owner} on board ${me.board} at ${server.url}`
          : `@${me.name}${shownName}, ${me.server_role} at ${server.url}`,
    };
  },
});
