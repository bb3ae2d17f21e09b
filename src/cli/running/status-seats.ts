import { seatsMeant, serverOfSeat, type AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { networkBlocked } from "../../client/machine/harness.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Seat } from "../../client/machine/seats.ts";
import { refuseInsecure } from "../../client/machine/server-address.ts";

/** A seat of an agent that has several. What its server does not say is null. */
export type StatusSeat = Awaited<ReturnType<typeof seatState>>;

/** The seats of the agent in SERVICE_AGENT if it has several; none if a flag or a variable selects one of them. */
export function severalSeats(cli: Cli, flags: AgentFlags): Seat[] {
  if (flags.as ?? flags.board) return [];
  const seats = seatsMeant(cli, flags);
  return seats.length > 1 ? seats.sort((a, b) => (a.board < b.board ? -1 : 1)) : [];
}

/** What the server says about a seat, asked with that seat's token. */
export async function seatState(cli: Cli, seat: Seat) {
  const { server, board, name, member_id } = seat;
  // A seat that cannot be read does not fail the command: the others are still shown.
  const read = networkBlocked(cli) ? null : await readSeat(cli, seat).catch(() => null);
  return {
    server,
    board,
    name,
    member_id,
    role: read?.agent?.role ?? null,
    delivery: read?.agent?.delivery_mode ?? null,
    unread: read?.unread ?? null,
    presence: read?.agent?.presence ?? null,
  };
}

async function readSeat(cli: Cli, seat: Seat) {
  const server = serverOfSeat(cli, seat);
  refuseInsecure(server.url);
  const api = quietApi(cli, server, seat.token);
  const params = { board: seat.board };
  const [{ unread }, { members }] = await Promise.all([
    api.call("getBoard", { params }),
    api.call("listMembers", { params }),
  ]);
  return { unread, agent: members.find(({ id }) => id === seat.member_id) };
}
