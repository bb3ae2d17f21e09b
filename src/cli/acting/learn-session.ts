import { askDaemon, DaemonRefusal } from "../../client/machine/daemon-client.ts";
import { sessionOf, type NamedSession } from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Cli, SessionHere } from "../frame/cli.ts";
import type { AnyCommand } from "../frame/command.ts";
import type { Values } from "../frame/parse-arguments.ts";
import { askOwnDaemonTwice } from "../local-daemon/ask-daemon.ts";

type Learning = Pick<AnyCommand, "acts" | "args" | "startsNothing">;

/**
 * Asks the daemon which seats the session of a command holds, if the command can act as an agent or give
 * the session a seat. It is asked once in a run.
 * What goes wrong is thrown only when the session's agent is needed.
 */
export async function learnSession(cli: Cli, command: Learning, values: Values): Promise<void> {
  const session = sessionOf(cli.env);
  const isAgents = command.args !== undefined && "as" in command.args;
  if (session === null || !(isAgents || command.acts === "session")) return;
  const isNamed = Boolean(values["as"] ?? cli.env["SERVICE_AGENT"]);
  // With a named agent only the number of the session's seats matters, and no daemon is started for it.
  cli.session = await known(cli, session, !isNamed && command.startsNothing !== true);
}

async function known(
  cli: Cli,
  session: NamedSession,
  mayStart: boolean,
): Promise<SessionHere | null> {
  try {
    return { seats: await seatsHeld(cli, session, mayStart), failure: null };
  } catch (error) {
    // A harness that the daemon does not know is no session for it.
    if (error instanceof DaemonRefusal && error.code === "invalid_request") return null;
    if (error instanceof DaemonRefusal || error instanceof LocalError)
      return { seats: [], failure: withOtherWay(error) };
    throw error;
  }
}

async function seatsHeld(cli: Cli, session: NamedSession, mayStart: boolean) {
  const request = { op: "agents", ...session } as const;
  const { agents } = await (mayStart ? askOwnDaemonTwice(cli, request) : askDaemon(cli, request));
  return agents ?? [];
}

/** The failure with what works without the daemon. */
const withOtherWay = ({ code, message, hint }: DaemonRefusal | LocalError): Error =>
  new DaemonRefusal({
    code,
    message,
    hint: `${hint} Until then, \`--as NAME\` or SERVICE_AGENT names the agent that acts.`,
  });
