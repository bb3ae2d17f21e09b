import { buildOf } from "../../client/build-info.ts";
import { ApiError, Unreachable, type Client } from "../../client/client.ts";
import { matchingSeats, selectSeat, serverOfSeat, type ActorFlags } from "../acting/acting.ts";
import { modeIn } from "../local-daemon/delivery-modes.ts";
import { daemonState, replaceOlderDaemon, type Replaced } from "../local-daemon/own-daemon.ts";
import { silentDaemon, type Silent } from "../local-daemon/why-silent.ts";
import type { DaemonStatus } from "../../client/machine/daemon-wire.ts";
import type { Cli } from "../frame/cli.ts";
import { inSession, networkBlocked } from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { failureOf } from "../frame/output.ts";
import { infoAt, notAnswering, provenServer, type Info } from "../local-server/identify-server.ts";
import { serverPid } from "../local-server/server-process.ts";
import { deliveryRule } from "../../agent-text/delivery-rules.ts";
import { installedHarnesses } from "../setting-up/entries/installed.ts";
import { readSeats, type Seat } from "../../client/machine/seats.ts";
import { keyFor, selectServer, type ServerRef } from "../../client/machine/servers.ts";
import { unknownState, credentialState } from "./credential-state.ts";
import { seatState, severalSeats } from "./status-seats.ts";
import { subagentStatus } from "./subagent-status.ts";
import { typedWith } from "../frame/suggest.ts";

/** Everything that `status` shows. */
export type Status = Awaited<ReturnType<typeof gather>>;

/** Reads everything that `status` shows. Starts nothing, and replaces a daemon of an older build. */
export async function gather(cli: Cli, flags: ActorFlags) {
  const seats = severalSeats(cli, flags);
  const seat = seats.length > 0 ? null : seatOf(cli, flags);
  const [one = seat] = seats;
  const server = one ? serverOfSeat(cli, one) : selectServer(cli, flags.server);
  const { running, build, error } = networkBlocked(cli) ? idle : await stateOf(cli, server);
  const named =
    seats.length > 0 ? null : (flags.board ?? cli.env["SERVICE_BOARD"] ?? seat?.board ?? null);
  // An agent's command does not use the person's key. In a session the key only reads a board that was named.
  const withKey = seats.length === 0 && (named !== null || !inSession(cli.env));
  const token = seat?.token ?? (withKey ? keyFor(cli, server) : null);
  // An agent acts on the server of its seat, so its commands name none.
  const typed = typedWith(cli, { as: flags.as, board: flags.board });
  const state =
    running && token ? await credentialState(cli, server, token, seat, typed) : unknownState;
  const { client, access_error } = state;
  const board = named ?? (client && (await onlyBoard(client)));
  const read = client && board ? await readBoard(client, board) : null;
  const agent = read?.members.find(({ id }) => id === seat?.member_id);
  const replaced = await replaceOlderDaemon(cli);
  const status = await daemonState(cli).catch(() => null);
  const silent = status === null ? await silentDaemon(cli) : null;
  const kept = agent || !seat ? null : modeIn(status, seat);
  const mode = agent?.delivery_mode ?? kept?.mode ?? null;
  // In a session the person's key is read for a board that was named, and for nothing else.
  const asPerson = client && !seat && !inSession(cli.env);
  const attention = asPerson ? await attentionOf(client) : null;
  const people = read?.members.filter(({ kind }) => kind === "human") ?? [];
  return {
    server,
    server_running: running,
    ...(build && { server_build: build }),
    // Why what answers at the local server's address cannot be used.
    ...(error && { server_error: error }),
    ...(access_error && { access_error }),
    server_replaced: null,
    sandbox_blocks_network: networkBlocked(cli),
    daemon: daemonOf(status, replaced, silent),
    setup: installedHarnesses(cli),
    board,
    board_source: board === null ? ("none" as const) : sourceOf(cli, flags, seat),
    agent: seat?.name ?? null,
    agent_source: agentSourceOf(cli, flags, one),
    ...subagentStatus(cli.env, seat?.name ?? null),
    delivery: mode,
    ...(kept && { delivery_unconfirmed: true }),
    delivery_rule: mode && deliveryRule(mode),
    midturn: client && seat ? await client.call("getMidturnPolicy").catch(unknown) : null,
    presence: agent?.presence ?? null,
    line: agent?.line ?? null,
    state: agent?.state ?? null,
    current_task: state.current_task,
    // This machine's agents on the board, or on the server when no board is chosen.
    agents: agentsOn(cli, server, board),
    policy: read?.policy ?? null,
    // Null when there is only one person, or when the server cannot be asked.
    people: people.length > 1 ? people.map(({ name, access }) => ({ name, access })) : null,
    ...(seats.length > 0 && { seats: await Promise.all(seats.map((one) => seatState(cli, one))) }),
    ...(attention && { attention }),
    nudges: state.nudges,
  };
}

/** What the daemon says, and null for its parts when none answers. A daemon that refuses to answer still runs. */
function daemonOf(status: DaemonStatus | null, replaced: Replaced | null, silent: Silent | null) {
  return {
    running: status !== null,
    pid: status?.pid ?? silent?.pid ?? null,
    // It runs, and does not answer.
    ...(silent && { silent: true as const }),
    open_sessions: status?.open_sessions ?? 0,
    replaced,
    ...(status && {
      stalled: status.stalled.length,
      ...(status.multi_seat && { multi_seat: true as const }),
      stopped_agents: status.agents.map(({ agent: { server, board, name }, reason }) => ({
        server,
        board,
        name,
        reason,
      })),
      servers: status.servers,
      bindings: status.bindings,
    }),
  };
}

const idle = { running: false, build: null, error: null };

/** Whether a server answers and which build it is, and for the local one why what answers cannot be used. */
async function stateOf(cli: Cli, { name, url }: ServerRef) {
  if (name !== "local") {
    const info = await infoAt(cli, url);
    return answering(typeof info === "object" ? info : null);
  }
  try {
    const info = await provenServer(cli);
    // Nothing listens here. A server that was started with another address runs all the same.
    if (info === null && serverPid(cli) !== null) throw notAnswering(cli);
    return answering(info);
  } catch (error) {
    if (!(error instanceof LocalError)) throw error;
    return { running: false, build: null, error: failureOf(error) };
  }
}

const answering = (info: Info | null) => ({
  running: info !== null,
  build: info && buildOf(info),
  error: null,
});

const seatOf = (cli: Cli, flags: ActorFlags): Seat | null =>
  flags.as || matchingSeats(cli, flags).length ? selectSeat(cli, flags) : null;

function sourceOf(
  cli: Cli,
  flags: ActorFlags,
  seat: Seat | null,
): "flag" | "env" | "agent" | "only" {
  if (flags.board) return "flag";
  if (cli.env["SERVICE_BOARD"]) return "env";
  return seat ? "agent" : "only";
}

function agentSourceOf(
  cli: Cli,
  { as }: ActorFlags,
  seat: Seat | null,
): "flag" | "env" | "session" | "none" {
  if (as) return "flag";
  if (cli.env["SERVICE_AGENT"]) return seat ? "env" : "none";
  return seat ? "session" : "none";
}

/** The board that a person's command takes when none is named. */
async function onlyBoard(client: Client): Promise<string | null> {
  // Two are enough to know that there is not only one.
  const list = client.call("listBoards", { query: { form: "short", limit: 2 } });
  const { boards } = (await list.catch(unknown)) ?? { boards: [] };
  return boards.length === 1 ? boards[0]!.name : null;
}

/** How many things need the person. */
const attentionOf = (client: Client) =>
  client
    .call("getAttention", { query: { limit: 1 } })
    .then(({ counts }) => counts)
    .catch(unknown);

/** A board that cannot be read is shown as unknown. */
async function readBoard(client: Client, board: string) {
  const params = { board };
  const read = Promise.all([
    client.call("getBoard", { params }),
    client.call("listMembers", { params }),
  ]);
  return read.then(([{ policy }, { members }]) => ({ policy, members })).catch(unknown);
}

function unknown(error: unknown): null {
  if (error instanceof ApiError || error instanceof Unreachable) return null;
  throw error;
}

function agentsOn(cli: Cli, server: ServerRef, board: string | null): string[] {
  const seats = readSeats(cli).filter(
    (seat) => seat.server === server.name && (!board || seat.board === board),
  );
  return [...new Set(seats.map(({ name }) => name))].sort();
}
