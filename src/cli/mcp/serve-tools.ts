import { withoutSecrets } from "../../contract/credentials.ts";
import { buildInfo } from "../../client/build-info.ts";
import { isWrite } from "../../client/routes.ts";
import { DaemonRefusal } from "../../client/machine/daemon-client.ts";
import type { DaemonAgent, DaemonRequest } from "../../client/machine/daemon-wire.ts";
import { nearestProgram } from "../../client/machine/nearest-program.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { inSession } from "../../client/machine/harness.ts";
import { emptyRunCache } from "../../client/machine/run-cache.ts";
import { readSeats, type Seat } from "../../client/machine/seats.ts";
import { bytesUpTo, type Caller, type ToolRequest } from "../../mcp/caller.ts";
import { serveConnection } from "../../mcp/stdio.ts";
import { agentIn, asAgent, type Agent, type AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { askOwnDaemon } from "../local-daemon/ask-daemon.ts";

/** Serves the tools over stdin and stdout until stdin ends. Nothing else is written to stdout. */
export function serveTools(cli: Cli, flags: AgentFlags): Promise<void> {
  // Ids of requests begin at 0 in every client, so an id of this run keeps two runs of a harness apart.
  const run = crypto.randomUUID();
  return serveConnection({
    input: cli.stdin.stream(),
    write: (chunk) => cli.stdout.write(chunk),
    version: buildInfo.version,
    door: async (request) => callerOf(cli, flags, `${run}:${JSON.stringify(request.id)}`, request),
    fault: (error) => faultOf(cli, error),
    note: (problem) => cli.note(`mcp: ${problem}`),
  });
}

/**
 * The agent for one call. Seats and addresses are read anew for each one: a harness runs for days, and an agent may get its
 * seat, or a new token, meanwhile.
 */
async function callerOf(
  cli: Cli,
  flags: AgentFlags,
  id: string,
  request: ToolRequest,
): Promise<Caller> {
  const now: Cli = { ...cli, learned: emptyRunCache() };
  const { api } = await agentMeant(now, flags, request.session?.id);
  const { signal } = request;
  const mayWrite = request.session?.isSubagents !== true;
  const idempotencyKey = new Bun.CryptoHasher("sha256").update(id).digest("hex");
  const read = { signal };
  const write = { idempotencyKey, signal };
  return {
    async call(name, input) {
      if (!isWrite(name)) return api.call(name, input, read);
      if (!mayWrite) throw subagentRefused();
      return api.call(name, input, write).catch(perhapsDone);
    },
    async upload(input, bytes) {
      if (!mayWrite) throw subagentRefused();
      return api.upload(input, new Blob([bytes]), write).catch(perhapsDone);
    },
    async download(input, most) {
      const { size, body } = await api.download(input, read);
      if (size <= most) return bytesUpTo(body, most);
      await body.cancel();
      return null;
    },
  };
}

/** Throws what failed a write. Without an answer it may have been done, and another call would do it again. */
function perhapsDone(error: unknown): never {
  if (!(error instanceof LocalError) || error.code !== "server_unreachable") throw error;
  const hint = `It may have been done all the same: look before you call this again. ${error.hint}`;
  throw new LocalError(error.code, error.message, hint, error.details);
}

/** The selected agent, else that of the session, else the only one of this machine outside of a session. */
async function agentMeant(
  cli: Cli,
  flags: AgentFlags,
  session: string | undefined,
): Promise<Agent> {
  if (flags.as ?? cli.env["SERVICE_AGENT"]) return asAgent(cli, flags);
  const board = flags.board ?? cli.env["SERVICE_BOARD"];
  const isThere = (seat: { readonly board: string }) => !board || seat.board === board;
  const own = readSeats(cli).filter(isThere);
  if (session === undefined && !inSession(cli.env)) {
    if (own.length === 1) return agentIn(cli, own[0]!);
    throw notSelected(own, "Several agents could be meant.");
  }
  const { agents, failure } = await seatsOfSession(cli, session);
  const held = (agents ?? []).filter(isThere);
  const seat = own.find(
    ({ server, member_id }) => server === held[0]?.server && member_id === held[0].member_id,
  );
  if (held.length === 1 && seat) return agentIn(cli, seat);
  throw notSelected(
    own,
    held.length > 1
      ? "This session has seats on several boards, and nothing says which one is meant."
      : "Nothing says which agent this session is.",
    failure,
  );
}

interface Held {
  readonly agents?: readonly DaemonAgent[] | undefined;
  readonly failure?: string;
}

/** The seats of the session that this server of tools serves: the one that its client names, else that of its parent's process. */
async function seatsOfSession(cli: Cli, session: string | undefined): Promise<Held> {
  const asked: DaemonRequest =
    session === undefined
      ? { op: "agents", process: nearestProgram(cli.system.parent) }
      : { op: "agents", harness: "codex", session };
  try {
    return await askOwnDaemon(cli, asked);
  } catch (error) {
    if (!(error instanceof DaemonRefusal || error instanceof LocalError)) throw error;
    return { failure: error.message };
  }
}

function notSelected(seats: readonly Seat[], problem: string, failure?: string): LocalError {
  const names = seats.map(({ name, board: on }) => `${name} (${on})`);
  return new LocalError(
    "agent_not_selected",
    seats.length === 0
      ? "This machine has no agent that could be meant."
      : [problem, failure].filter((part) => part !== undefined).join(" "),
    seats.length === 0
      ? 'Your person makes one in a terminal: `service pair` for a new board, or `service join "LINE"`. Then call this tool again.'
      : `In a shell of this session, \`service resume NAME\` gives it a seat. Or your person adds \`--as NAME\` or \`--board NAME\` to \`service mcp\` in the harness's settings; this machine's agents: ${names.join(", ")}.`,
    { choices: seats.map(({ name }) => name) },
  );
}

const subagentRefused = () =>
  new LocalError(
    "subagent_without_seat",
    "A subagent has no seat of its own, so it may only read.",
    "Let the session that started it do this.",
  );

/** What is no refusal goes to the log; the client is told that it happened. */
function faultOf(cli: Cli, error: unknown): Error {
  const { message, stack } = error as Error;
  cli.note(withoutSecrets(`mcp: ${stack ?? message ?? String(error)}`));
  return new LocalError(
    "internal",
    "The tool failed because of a fault of this program.",
    "Try again; `service mcp` has written the fault to its standard error.",
  );
}
