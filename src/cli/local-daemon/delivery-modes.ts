import { askDaemon } from "../../client/machine/daemon-client.ts";
import type { DaemonStatus } from "../../client/machine/daemon-wire.ts";
import { readSeats, type Seat } from "../../client/machine/seats.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import type { OutputOf } from "../../contract/index.ts";
import type { Cli } from "../frame/cli.ts";
import { daemonStatus } from "./own-daemon.ts";

type Key = Pick<Seat, "server" | "member_id">;

/** The delivery mode of a seat that the daemon has kept, or null. Starts no daemon. */
export async function keptMode(cli: Cli, seat: Key) {
  return modeIn(await daemonStatus(cli).catch(() => null), seat);
}

/** The delivery mode of a seat in what the daemon says about itself, or null. */
export function modeIn(status: DaemonStatus | null, { server, member_id }: Key) {
  const { mode, revision } =
    status?.bindings.find(
      ({ agent }) => agent.server === server && agent.member_id === member_id,
    ) ?? {};
  return mode === undefined || revision === undefined ? null : { mode, revision };
}

/** Tells the daemon of a delivery mode that was set, if it runs. It learns the mode from the server too, a moment later. */
export async function tellMode(
  cli: Cli,
  server: ServerRef,
  { board, agent: name, mode, revision }: OutputOf<"setDeliveryMode">,
): Promise<void> {
  const seat = readSeats(cli).find(
    (one) => one.server === server.name && one.board === board && one.name === name,
  );
  if (seat === undefined) return;
  const agent = { server: server.name, board, name, member_id: seat.member_id };
  await askDaemon(cli, { op: "mode", agent, mode, revision }).catch(() => {});
}
