import { asPerson } from "../acting/acting.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { inSession } from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { openedPlace } from "./opened-place.ts";
import { browserCommand } from "./own-browser.ts";

export default defineCommand({
  summary: "Open the board view in your browser, signed in",
  acts: "neutral",
  args: {
    place: {
      type: "positional",
      required: false,
      valueHint: "PLACE",
      description: "A board, a message (6, docs#6), a task (DOC-7) or a file (else your boards).",
    },
    print: { type: "boolean", description: "Print the link, and open nothing." },
    ...boardFlags,
  },
  details:
    "Makes a link that signs a browser in as you, once, within a minute, and opens it with the program in BROWSER, else the system's. Where there is no browser, as over SSH, it prints the link for you to open. In a session of an agent it opens your browser and never shows the link.",
  examples: [
    ["open", "Open what needs you, and your boards."],
    ["open docs", "Open the board docs."],
    ["open DOC-7", "Open a task."],
    ["open --print", "Print the link, to open it elsewhere within a minute."],
  ],
  seeAlso: ["boards", "keys sessions", "logout"],
  async run({ args, data: cli }) {
    const isSession = inSession(cli.env);
    const browser = args.print && !isSession ? null : browserCommand(cli);
    if (isSession && browser === null)
      throw new LocalError(
        "browser_unavailable",
        "There is no browser here, and a link that signs in is never shown in a session.",
        "Ask your person to run `service open` in a terminal.",
      );
    const person = await asPerson(cli, args);
    const { server } = person;
    const { board, path, words } = await openedPlace(cli, person, args, args.place);
    const { code, expires_at } = await person.api.call("createLoginCode");
    const fragment = new URLSearchParams({ code });
    for (const [name, value] of Object.entries(words)) fragment.set(name, String(value));
    const link = `${server.url}/#${fragment}`;
    const opened = browser !== null && (await cli.system.hand([...browser, link], cli)) === true;
    if (isSession && !opened)
      throw new LocalError(
        "browser_unavailable",
        "The browser could not be opened.",
        "Ask your person to run `service open` in a terminal.",
      );
    const ui_url = server.url + path;
    return {
      json: {
        server,
        server_started: cli.serverStarted,
        board,
        ui_url,
        url: isSession ? null : link,
        opened,
        expires_at,
      },
      text: opened
        ? `Opened ${ui_url} in your browser.`
        : `Open this link in a browser. It signs you in, once, within a minute:\n\n  ${link}`,
    };
  },
});
