import { ApiError, createClient, Unreachable } from "../client/client.ts";
import type { Output } from "../contract/operation.ts";
import type { Operations } from "../contract/index.ts";
import { buildInfo } from "../build-info.ts";
import { matchingSeats, selectSeat, type AgentFlags, type PersonFlags } from "./acting.ts";
import { sendOnce } from "./api.ts";
import type { Cli } from "./cli.ts";
import { networkBlocked } from "./harness.ts";
import { infoAt } from "./local-server.ts";
import { deliveryRule, type DeliveryMode } from "./render/delivery.ts";
import { refuseInsecure } from "./server-address.ts";
import { readSeats, type Seat } from "./seats.ts";
import { keyFor, localServer, selectServer, type ServerRef } from "./servers.ts";

type Flags = AgentFlags & PersonFlags;
type Policy = Output<Operations["getBoard"]>["policy"];
type Member = Output<Operations["listMembers"]>["members"][number];

/** All that `status` tells. Nothing is started to find it out. */
export interface Status {
  readonly server: ServerRef;
  readonly server_running: boolean;
  readonly server_replaced: null;
  readonly sandbox_blocks_network: boolean;
  readonly daemon: {
    readonly running: boolean;
    readonly pid: number | null;
    readonly open_sessions: number;
    readonly replaced: null;
  };
  readonly setup: { readonly global: readonly string[]; readonly project: readonly string[] };
  readonly board: string | null;
  readonly board_source: "flag" | "env" | "agent" | "none";
  readonly agent: string | null;
  readonly agent_source: "flag" | "env" | "none";
  readonly delivery: DeliveryMode | null;
  readonly delivery_rule: string | null;
  readonly presence: string | null;
  /** This machine's agents on the board, or on the server when no board is chosen. */
  readonly agents: readonly string[];
  readonly policy: Policy | null;
  /** Null when it is one person, or when the server cannot be asked. */
  readonly people: readonly { readonly name: string; readonly access: string | null }[] | null;
}

/** Reads what there is to know without starting anything. */
export async function gather(cli: Cli, flags: Flags): Promise<Status> {
  const seat = seatOf(cli, flags);
  const server = seat ? serverOf(cli, seat) : selectServer(cli, flags.server);
  const info = networkBlocked(cli.env) ? null : await infoAt(cli.env, server.url);
  const running = info !== null && info !== "foreign";
  const board = flags.board ?? cli.env["SERVICE_BOARD"] ?? seat?.board ?? null;
  const token = seat?.token ?? keyFor(cli, server);
  const read = running && board && token ? await readBoard(cli, server, token, board) : null;
  const agent = read?.members.find(({ id }) => id === seat?.member_id);
  const mode = agent?.delivery_mode ?? null;
  const people = read?.members.filter(({ kind }) => kind === "human") ?? [];
  return {
    server,
    server_running: running,
    server_replaced: null,
    sandbox_blocks_network: networkBlocked(cli.env),
    daemon: { running: false, pid: null, open_sessions: 0, replaced: null },
    setup: { global: [], project: [] },
    board,
    board_source: flags.board
      ? "flag"
      : cli.env["SERVICE_BOARD"]
        ? "env"
        : board
          ? "agent"
          : "none",
    agent: seat?.name ?? null,
    agent_source: flags.as ? "flag" : seat ? "env" : "none",
    delivery: mode,
    delivery_rule: mode && deliveryRule(mode),
    presence: agent?.presence ?? null,
    agents: agentsOn(cli, server, board),
    policy: read?.policy ?? null,
    people: people.length > 1 ? people.map(({ name, access }) => ({ name, access })) : null,
  };
}

const seatOf = (cli: Cli, flags: Flags): Seat | null =>
  flags.as || matchingSeats(cli, flags).length ? selectSeat(cli, flags) : null;

const serverOf = (cli: Cli, { server }: Seat): ServerRef =>
  server === "local" ? localServer(cli) : { name: server, url: server };

/** A board that cannot be read is shown as unknown. */
async function readBoard(
  cli: Cli,
  server: ServerRef,
  token: string,
  board: string,
): Promise<{ policy: Policy; members: Member[] } | null> {
  refuseInsecure(server.url);
  const fetch = (request: Request) => sendOnce(cli.env, request);
  const { version } = buildInfo;
  const client = createClient({ baseUrl: server.url, token, version, fetch });
  const params = { board };
  try {
    const [{ policy }, { members }] = await Promise.all([
      client.call("getBoard", { params }),
      client.call("listMembers", { params }),
    ]);
    return { policy, members };
  } catch (error) {
    if (error instanceof ApiError || error instanceof Unreachable) return null;
    throw error;
  }
}

const agentsOn = (cli: Cli, server: ServerRef, board: string | null): string[] =>
  readSeats(cli)
    .filter((seat) => seat.server === server.name && (!board || seat.board === board))
    .map(({ name }) => name)
    .sort();
