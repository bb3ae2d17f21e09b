import { asPerson } from "../acting/acting.ts";
import { oneLine } from "../terminal/clean.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { oneKey } from "./key-choice.ts";
import { when } from "../terminal/time-text.ts";
import { columns } from "../terminal/table.ts";
import { typedAt } from "../frame/suggest.ts";

export default defineCommand({
  summary: "List the browsers where you are signed in",
  acts: "person",
  args: {
    key: {
      type: "positional",
      required: false,
      description: "Only browsers that were signed in with this key: its name or id.",
    },
    ...serverFlag,
  },
  details:
    "Newest first. Each session belongs to the key that it was signed in with, and ends with that key.",
  examples: [["keys sessions laptop", "Browsers that were signed in with the key laptop."]],
  seeAlso: ["keys sessions end", "logout", "keys"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const key = args.key && oneKey((await api.call("listKeys")).keys, args.key).id;
    const { person, sessions } = await api.call("listBrowserSessions", {
      query: key ? { key } : {},
    });
    const rows = sessions.map((session) => [
      session.id,
      `key ${session.key.name}`,
      session.started_with === "login_code" ? "by a one-time code" : "by a pasted key",
      `since ${when(session.created_at)}`,
      `ends ${when(session.expires_at)}`,
    ]);
    return {
      json: { server, person, sessions },
      text: rows.length
        ? [
            `Browsers where @${person.handle} is signed in to ${server.url}:`,
            columns(rows),
            `Sign one out: ${typedAt(cli, server)("keys sessions end ID")}`,
          ].join("\n")
        : `@${person.handle} is signed in to ${server.url} in no browser${args.key ? ` by the key ${oneLine(args.key)}` : ""}.`,
    };
  },
});
