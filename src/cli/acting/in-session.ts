import { requestErrors } from "../../contract/errors/requests.ts";
import { DaemonRefusal } from "../../client/machine/daemon-client.ts";
import type { DaemonAgent, DaemonAnswer, DaemonRequest } from "../../client/machine/daemon-wire.ts";
import {
  inSession,
  networkBlocked,
  sessionOf,
  type NamedSession,
} from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { selectServer, type ServerRef } from "../../client/machine/servers.ts";
import type { Cli } from "../frame/cli.ts";
import { notForAgent } from "../frame/who-may-run.ts";
import { againInTerminal } from "../frame/suggest.ts";
import { askOwnDaemon, askOwnDaemonTwice, isNotRunning } from "../local-daemon/ask-daemon.ts";

/** The daemon waits for a server meanwhile. */
const answerMs = 100_000;

/**
 * The session that gets a seat by this command. Null in a person's terminal. Refuses a session that the daemon does not
 * know, and with `code` a harness whose session has no id and a terminal in which an agent is selected.
 */
export function sessionForSeat(
  cli: Cli,
  code: "agent_session_required" | "session_unknown",
): NamedSession | null {
  const session = sessionOf(cli.env);
  if (session !== null) {
    if (cli.session?.failure) throw cli.session.failure;
    return session;
  }
  if (inSession(cli.env)) throw withoutId(cli, code);
  notForAgent(cli, code);
  return null;
}

const withoutId = (cli: Cli, code: "agent_session_required" | "session_unknown") =>
  new LocalError(
    code,
    "No variable of this command says which session it runs in.",
    `The hooks of the harness say it, once they are set up and the session has been started anew. Meanwhile your person runs it in a terminal: ${againInTerminal(cli)}`,
  );

/** The server of a session's command: the one named, else that of the session's seats, else as for the person. */
export async function serverForSession(cli: Cli, named: string | undefined): Promise<ServerRef> {
  const held = new Set(cli.session?.seats.map(({ server }) => server));
  const [only] = held;
  const isChosen = named ?? cli.env["SERVICE_SERVER"];
  const server = selectServer(cli, isChosen || held.size !== 1 ? named : only);
  if (server.name === "local" && !networkBlocked(cli)) {
    const { ensureLocalServer } = await import("../local-server/local-server.ts");
    await ensureLocalServer(cli);
  }
  return server;
}

/** What the daemon does twice without harm: the second time it finds what the first one made. */
const repeatable = new Set<DaemonRequest["op"]>(["bind", "boards", "join"]);

/** Makes one request about the session of this command. If its answer is lost, it is made again where that does no harm. */
export async function askForSession(
  cli: Cli,
  session: NamedSession,
  request: DaemonRequest,
): Promise<DaemonAnswer> {
  const ask = repeatable.has(request.op) ? askOwnDaemonTwice : askOwnDaemon;
  const answer = await ask(cli, { ...session, ...request }, answerMs).catch((error: unknown) => {
    throw ofCommand(cli, error);
  });
  // The daemon may have saved a seat.
  cli.learned.forgetFiles();
  return answer;
}

/** Replaces the server's hint about a request, which the user did not write, with one about the command. */
const ofCommand = ({ command }: Cli, error: unknown): unknown =>
  error instanceof DaemonRefusal && error.hint === requestErrors.invalid_request.hint
    ? new LocalError(
        "invalid_request",
        error.message,
        `\`service help ${command}\` shows how it is used.`,
      )
    : error;

/** Ties the session of this command to a seat of this machine. */
export async function bindSession(
  cli: Cli,
  session: NamedSession,
  { server, board, name, member_id }: DaemonAgent,
): Promise<DaemonAnswer> {
  const agent = { server, board, name, member_id };
  return askForSession(cli, session, { op: "bind", agent });
}

/** Makes a board with a seat for the session of this command. */
export async function createForSession(
  cli: Cli,
  session: NamedSession,
  request: Pick<DaemonRequest, "server" | "create" | "role" | "agent_name">,
): Promise<DaemonAnswer> {
  const idempotency_key = crypto.randomUUID();
  try {
    return await askForSession(cli, session, { op: "create_board", ...request, idempotency_key });
  } catch (error) {
    if (!isNotRunning(error)) throw error;
    throw new LocalError(
      "uncertain",
      "The delivery daemon gave no answer, so the board may have been made.",
      "`service boards` shows whether it is there, and `service join --board NAME` takes a seat on it. If it is not, run this again.",
    );
  }
}

/** The seat that a bind replaced, as output names it. */
export const previousAgent = ({ previous }: Pick<DaemonAnswer, "previous">) =>
  previous ? { name: previous.name, board: previous.board } : null;
