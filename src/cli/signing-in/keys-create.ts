import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { when } from "../terminal/time-text.ts";
import { bold } from "../terminal/style.ts";
import { duration } from "../frame/values.ts";

export default defineCommand({
  summary: "Make an access key, for another machine of yours",
  acts: "person",
  args: {
    name: { type: "positional", description: "A name for it, such as the machine it is for." },
    expires: {
      type: "string",
      valueHint: "DURATION",
      description: "How long it works: 1h to 365d (default 90d).",
    },
    ...serverFlag,
  },
  details: "The key is shown once. Nobody can show it again.",
  examples: [["keys create laptop --expires 30d", "A key for another machine of yours."]],
  seeAlso: ["login", "keys revoke"],
  async run({ args, data: cli }) {
    const seconds = args.expires && duration("--expires", args.expires, "1h", "365d");
    const { api, server } = await asPerson(cli, args);
    const key = await api.call("createKey", {
      body: { name: args.name, ...(seconds && { ttl_seconds: seconds }) },
    });
    return {
      json: { server, key },
      text: [
        `Key ${key.name} for ${server.url}${key.expires_at ? `, until ${when(key.expires_at)}` : ""}. It is shown only here:`,
        bold(key.token),
        `On the other machine: service login ${server.url}, and paste it.`,
      ].join("\n"),
    };
  },
});
