import { ApiError } from "../../client/client.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { selectServer } from "../../client/machine/servers.ts";
import { asPerson } from "../acting/acting.ts";
import { outdated } from "../connection/features.ts";
import type { Cli } from "../frame/cli.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { typedHere } from "../frame/output.ts";
import { provenServer } from "../local-server/identify-server.ts";
import { gather } from "./gather-status.ts";
import { numbersText } from "./numbers-text.ts";
import { statusText } from "./status-text.ts";

/** How old counts of the tables may be for them to be shown as they are, in milliseconds, and the pause until they are renewed. */
const [countsGoodMs, pauseMs] = [90_000, 150];

export default defineCommand({
  summary: "Show the server, board and agent that commands would use",
  acts: ({ numbers }) => (numbers ? "person" : "neutral"),
  startsNothing: true,
  inSubagent: ({ numbers }) => !numbers,
  args: {
    ...actorFlags,
    numbers: {
      type: "boolean",
      description: "Show the server's figures instead, to its admins: load, sizes, waits, backups.",
    },
  },
  details:
    "Only reads: it starts no server and changes nothing. The figures are those that `serve --metrics` offers to Prometheus; counters begin at the start of the server.",
  examples: [["status --numbers", "How the server is doing, for its admins."]],
  seeAlso: ["whoami", "servers", "up"],
  async run({ args, data: cli }) {
    if (args.numbers) return numbersOf(cli, args.server);
    const status = await gather(cli, args);
    return { json: status, text: statusText(status, (text) => typedHere(cli, text)) };
  },
});

/** The figures of a server. Asks again if their counts of the tables are old: the first look renews them. */
async function numbersOf(cli: Cli, named: string | undefined) {
  const server = selectServer(cli, named);
  if (server.name === "local") await refuseUnlessRunning(cli, server.url);
  const { api } = await asPerson(cli, { server: named });
  const ask = () =>
    api.call("getNumbers").catch((error: unknown) => {
      const isUnknown = error instanceof ApiError && error.code === "not_found";
      throw isUnknown ? outdated(server, "it gives no figures") : error;
    });
  let numbers = await ask();
  const counted = numbers.counted_at === null ? 0 : Date.parse(numbers.counted_at);
  if (Date.parse(numbers.at) - counted > countsGoodMs) {
    await cli.clock.sleep(pauseMs);
    numbers = await ask();
  }
  return { json: numbers, text: numbersText(server.url, numbers) };
}

/** A server that was started for its figures would have none of what was asked about. */
async function refuseUnlessRunning(cli: Cli, url: string): Promise<void> {
  if ((await provenServer(cli)) !== null) return;
  throw new LocalError(
    "server_not_running",
    `This machine's own server, at ${url}, is not running, and its figures begin anew at each start.`,
    "Start it with `service up`; or name another server: `--server URL`.",
  );
}
