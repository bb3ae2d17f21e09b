import { defineCommand } from "../frame/command.ts";
import { defaultServer, knownServers, readServers } from "../../client/machine/servers.ts";
import { columns } from "../terminal/table.ts";

export default defineCommand({
  summary: "List the servers this machine has a key for",
  acts: "neutral",
  details: "Reads only files of this machine, and asks no server.",
  seeAlso: ["servers use", "servers remove", "login", "connect"],
  async run({ data: cli }) {
    const chosen = defaultServer(cli);
    const saved = readServers(cli).servers;
    const servers = knownServers(cli).map((server) => ({
      ...server,
      local: server.name === "local",
      default: server.name === chosen?.name,
      ...pickHandle(saved.find(({ url }) => url === server.url)),
    }));
    const rows = servers.map(
      (one) =>
        [
          one.url,
          "handle" in one ? `@${one.handle}` : "",
          [one.local && "local", one.default && "default"].filter(Boolean).join(", "),
        ] as const,
    );
    return {
      json: { servers, default: chosen },
      text: rows.length
        ? columns(rows)
        : `This machine knows no server yet. Start one with ${cli.typed("up")}.`,
    };
  },
});

const pickHandle = (saved?: { handle: string }) => (saved ? { handle: saved.handle } : {});
