import { defineCommand, yesFlag } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { confirmed } from "../frame/questions.ts";
import { savedServer } from "./saved-server.ts";
import { forgetSeats, readSeats } from "../../client/machine/seats.ts";
import { defaultServer, forgetServer } from "../../client/machine/servers.ts";
import { counted } from "../terminal/table.ts";

export default defineCommand({
  summary: "Forget a server on this machine",
  acts: "person",
  args: {
    server: { type: "positional", description: "The server's address." },
    ...yesFlag,
  },
  details:
    "Deletes your key for that server, and the tokens of your agents there, from this machine only. The key itself still works: `keys revoke` ends it.",
  examples: [["servers remove https://board.example.org", "Forget that server here."]],
  seeAlso: ["servers", "keys revoke", "login"],
  run({ args, data: cli }) {
    const server = savedServer(cli, args.server);
    if (server.name === "local")
      throw usageError(
        "This machine's own server cannot be forgotten: its data and its owner's key are here.",
        "`service down` stops it.",
      );
    const seats = readSeats(cli).filter((seat) => seat.server === server.name);
    const agents = seats.length ? `, and ${counted(seats.length, "agent", "agents")} there` : "";
    const question = `This machine forgets its key for ${server.url}${agents}. The key itself still works until it is revoked. Forget it?`;
    if (!args.yes && !confirmed(cli, question))
      return { json: { server, removed: false, agents: seats.length }, text: "Not removed." };
    forgetSeats(cli, (seat) => seat.server === server.name);
    const before = defaultServer(cli);
    forgetServer(cli, server);
    const now = defaultServer(cli);
    const moved = before?.name === server.name && now ? ` Commands go to ${now.url}.` : "";
    return {
      json: { server, removed: true, agents: seats.length },
      text: `This machine has forgotten ${server.url}.${moved}`,
    };
  },
});
