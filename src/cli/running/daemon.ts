import { buildInfo } from "../../client/build-info.ts";
import { shellWord } from "../../contract/shell-word.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import { readSeats, saveSeat, SeatForgotten, type Seat } from "../../client/machine/seats.ts";
import { keyFor, localServer } from "../../client/machine/servers.ts";
import { runsText } from "../local-daemon/why-silent.ts";
import { serverOfSeat } from "../acting/acting.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand } from "../frame/command.ts";
import { selfCommand } from "../frame/program-name.ts";

export default defineCommand({
  summary: "Run the delivery daemon in the foreground",
  acts: "neutral",
  noJson: true,
  details:
    "Delivers messages into the sessions that ask it to over its socket, until Ctrl-C. Hooks and commands in a session run it in the background, and so does `daemon start`. It ends by itself when no session has been open for 10 minutes.",
  seeAlso: ["daemon start", "down", "status"],
  async run({ data: cli }) {
    cli.system.setUmask(0o077);
    const ended = Promise.withResolvers<void>();
    cli.system.onSignal("SIGINT", ended.resolve);
    cli.system.onSignal("SIGTERM", ended.resolve);
    const daemon = await cli.startDaemon({
      machine: cli,
      env: cli.env,
      pid: cli.system.pid,
      build: buildInfo,
      // Tests and measurements gather for less time.
      gatherMs: numberIn(cli.env["SERVICE_GATHER_MS"]),
      hasSeat: (agent) => seatOf(cli, agent) !== undefined,
      clientOf: (agent) => clientOf(cli, agent),
      typed: (words) => `${selfCommand(cli).map(shellWord).join(" ")} ${words}`,
      personAt: (server) => personAt(cli, server),
      saveSeat: (seat) => saveSeat(cli, seat),
      log: (line) => cli.stderr.writeLater(`${new Date(cli.clock.now()).toISOString()} ${line}\n`),
      onStop: ended.resolve,
    });
    if (daemon === null)
      return { json: {}, text: "The delivery daemon of this home runs already." };
    await cli.print(runsText);
    await ended.promise;
    await daemon.stop();
    return undefined;
  },
});

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;

/** The seat that this machine has saved. It is read anew each time, because other commands join boards meanwhile. */
function seatOf(cli: Cli, { server, member_id }: DaemonAgent): Seat | undefined {
  cli.learned.forgetFiles();
  return readSeats(cli).find((seat) => seat.server === server && seat.member_id === member_id);
}

function personAt(cli: Cli, name: string) {
  cli.learned.forgetFiles();
  const server = name === "local" ? localServer(cli) : { name, url: name };
  const key = keyFor(cli, server);
  if (key === null) return null;
  return { key, clientWith: (token: string) => quietApi(cli, server, token) };
}

function clientOf(cli: Cli, agent: DaemonAgent) {
  const seat = seatOf(cli, agent);
  if (!seat) throw new SeatForgotten(agent.name);
  return quietApi(cli, serverOfSeat(cli, seat), seat.token);
}
