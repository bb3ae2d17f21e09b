import { defineCommand } from "../frame/command.ts";
import { savedServer } from "./saved-server.ts";
import { defaultServer, saveDefault } from "../../client/machine/servers.ts";

export default defineCommand({
  summary: "Choose the server that commands go to",
  acts: "person",
  args: {
    server: { type: "positional", description: "The server's address, or `local`." },
  },
  details: "Agents keep acting on the server of their seat.",
  seeAlso: ["servers", "servers remove"],
  run({ args, data: cli }) {
    const server = savedServer(cli, args.server);
    const previous = defaultServer(cli);
    saveDefault(cli, server.name);
    return {
      json: { server, previous },
      text: `Commands go to ${server.url} unless --server names another one.`,
    };
  },
});
