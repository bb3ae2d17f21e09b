import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { counted } from "../terminal/table.ts";

export default defineCommand({
  summary: "Sign out of your browsers",
  acts: "person",
  args: {
    browsers: { type: "boolean", required: true, description: "Sign out of every browser." },
    ...serverFlag,
  },
  details:
    "Ends every browser session of yours at once. This machine's key stays: `keys revoke` ends a key and all that it started, `keys sessions end` one browser.",
  examples: [["logout --browsers", "Sign out everywhere you opened the board in a browser."]],
  seeAlso: ["keys sessions", "keys revoke", "servers remove"],
  async run({ args, data: cli }) {
    if (!args.browsers)
      throw usageError(
        "Say what to sign out of.",
        "`service logout --browsers` ends your browser sessions; `service servers remove URL` forgets a server on this machine; `service keys revoke NAME` ends a key.",
      );
    const { api, server } = await asPerson(cli, args);
    const { ended } = await api.call("endBrowserTokens");
    return {
      json: { server, server_started: cli.serverStarted, ended },
      text: ended
        ? `Signed out of ${counted(ended, "browser", "browsers")} at ${server.url}.`
        : `You were signed in to ${server.url} in no browser.`,
    };
  },
});
