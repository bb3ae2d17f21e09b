import { withoutSecrets } from "../../contract/credentials.ts";
import { buildInfo } from "../../client/build-info.ts";
import { isWrite } from "../../client/routes.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { inSession } from "../../client/machine/harness.ts";
import { emptyRunCache } from "../../client/machine/run-cache.ts";
import { readSeats } from "../../client/machine/seats.ts";
import { bytesUpTo, type Caller, type ToolRequest } from "../../mcp/caller.ts";
import { serveConnection } from "../../mcp/stdio.ts";
import { agentIn, asAgent, type Agent, type AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";

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
function callerOf(cli: Cli, flags: AgentFlags, id: string, { signal }: ToolRequest): Caller {
  const now: Cli = { ...cli, learned: emptyRunCache() };
  const { api } = agentMeant(now, flags);
  const idempotencyKey = new Bun.CryptoHasher("sha256").update(id).digest("hex");
  const read = { signal };
  const write = { idempotencyKey, signal };
  return {
    call: (name, input) =>
      isWrite(name) ? api.call(name, input, write).catch(perhapsDone) : api.call(name, input, read),
    upload: (input, bytes) => api.upload(input, new Blob([bytes]), write).catch(perhapsDone),
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

/** The selected agent. Outside of a session also the only one of this machine; in one, another session may act as it. */
function agentMeant(cli: Cli, flags: AgentFlags): Agent {
  if (flags.as ?? cli.env["SERVICE_AGENT"]) return asAgent(cli, flags);
  const board = flags.board ?? cli.env["SERVICE_BOARD"];
  const seats = readSeats(cli).filter((seat) => !board || seat.board === board);
  const inHarness = inSession(cli.env);
  if (seats.length === 1 && !inHarness) return agentIn(cli, seats[0]!);
  const names = seats.map(({ name, board: on }) => `${name} (${on})`);
  throw new LocalError(
    "agent_not_selected",
    seats.length
      ? inHarness
        ? "Nothing says which agent this session is."
        : "Several agents could be meant."
      : "This machine has no agent that could be meant.",
    seats.length
      ? `Your person adds \`--as NAME\` to \`service mcp\` in the harness's settings, or sets SERVICE_AGENT there; this machine's agents: ${names.join(", ")}.`
      : 'Your person makes one in a terminal: `service pair` for a new board, or `service join "LINE"`. Then call this tool again.',
    { choices: seats.map(({ name }) => name) },
  );
}

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
