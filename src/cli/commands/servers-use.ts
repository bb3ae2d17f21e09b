import { defineCommand } from "../command.ts";
import { CliError } from "../errors.ts";
import { sameServer, writtenOnce } from "../server-address.ts";
import { defaultServer, knownServers, saveDefault } from "../servers.ts";

export default defineCommand({
  acts: "person",
  args: {
    server: { type: "positional", description: "The server's address, or `local`." },
  },
  details: "Agents keep acting on the server of their seat.",
  seeAlso: ["servers"],
  async run({ args, data: cli }) {
    const known = knownServers(cli);
    const wanted = writtenOnce(args.server);
    const server = known.find(({ name, url }) => name === wanted || sameServer(url, wanted));
    if (!server)
      throw new CliError(
        "server_unknown",
        `This machine has no key for ${args.server}.`,
        wanted === "local"
          ? "`service up` starts this machine's own server."
          : "`service servers` lists the servers known here; `service login URL` adds one.",
        { choices: known.map(({ url }) => url) },
      );
    const previous = defaultServer(cli);
    saveDefault(cli, server.name);
    return {
      json: { server, previous },
      text: `Commands go to ${server.url} unless told otherwise.`,
    };
  },
});
