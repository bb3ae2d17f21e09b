import { buildInfo } from "../../client/build-info.ts";
import { Unreachable } from "../../client/client.ts";
import { bundled } from "../../agent-text/message-element.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import { readSeats, type Seat } from "../../client/machine/seats.ts";
import { serverOfSeat } from "../acting/acting.ts";
import { withIdleTimeout } from "../connection/idle-timeout.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand } from "../frame/command.ts";
import { typedWith } from "../frame/suggest.ts";
import { wrapped } from "../messages/delivery-text.ts";

/** The server sends something every 25 seconds. */
const silenceMs = 60_000;

export default defineCommand({
  summary: "Run the delivery daemon in the foreground",
  acts: "neutral",
  noJson: true,
  details:
    "Delivers messages into the sessions that ask it to over its socket, until Ctrl-C. Hooks of harnesses do; this build installs none. `resume` in a session and `daemon start` run it in the background. It ends by itself when no session has been open for 10 minutes.",
  seeAlso: ["daemon start", "down", "status"],
  async run({ data: cli }) {
    cli.system.setUmask(0o077);
    const ended = Promise.withResolvers<void>();
    cli.system.onSignal("SIGINT", ended.resolve);
    cli.system.onSignal("SIGTERM", ended.resolve);
    const daemon = await cli.startDaemon({
      machine: cli,
      pid: cli.system.pid,
      build: buildInfo,
      hasSeat: (agent) => seatOf(cli, agent) !== undefined,
      clientOf: (agent) => clientOf(cli, agent),
      render: (agent, messages, several) => {
        const typed = typedWith(cli, several ? { as: agent.name, board: agent.board } : {});
        const texts = messages.map((message) => wrapped(message, typed));
        return bundled(agent.board, texts) ?? "";
      },
      log: (line) => cli.stderr.writeLater(`${new Date(cli.clock.now()).toISOString()} ${line}\n`),
      onStop: ended.resolve,
    });
    if (daemon === null)
      return { json: {}, text: "The delivery daemon of this home runs already." };
    await cli.print("The delivery daemon runs. Stop with Ctrl-C.");
    await ended.promise;
    await daemon.stop();
    return undefined;
  },
});

/** The seat that this machine has saved. It is read anew each time, because other commands join boards meanwhile. */
function seatOf(cli: Cli, { server, member_id }: DaemonAgent): Seat | undefined {
  cli.learned.forgetFiles();
  return readSeats(cli).find((seat) => seat.server === server && seat.member_id === member_id);
}

function clientOf(cli: Cli, agent: DaemonAgent) {
  const seat = seatOf(cli, agent);
  if (!seat) throw new Unreachable(`This machine no longer has the token of ${agent.name}.`);
  return quietApi(cli, serverOfSeat(cli, seat), seat.token, (response) =>
    withIdleTimeout(response, silenceMs),
  );
}
