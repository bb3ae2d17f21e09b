import { ApiError, Unreachable, type Client } from "../../client/client.ts";
import type { OutputOf } from "../../contract/index.ts";
import { withEndedHint } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import { inSubagent } from "../../client/machine/harness.ts";
import type { Nudge } from "../../client/machine/shown-nudges.ts";
import { failureOf, type Failure } from "../frame/output.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Typed } from "../frame/suggest.ts";
import type { Seat } from "../../client/machine/seats.ts";
import { refuseInsecure } from "../../client/machine/server-address.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { inboxNudges } from "../messages/work-nudges.ts";

/** What a server says about a credential. */
export interface CredentialState {
  /** Null when the credential does not work any more, or there is none. */
  readonly client: Client | null;
  /** The server's refusal of a credential that does not work any more. */
  readonly access_error: Failure | null;
  /** What an agent works on. */
  readonly current_task: OutputOf<"getMe">["current_task"];
  readonly nudges: readonly Nudge[];
}

/** The state when there is no credential or no server. */
export const unknownState: CredentialState = {
  client: null,
  access_error: null,
  current_task: null,
  nudges: [],
};

/** Asks a server whether a credential works, and for an agent's token what the agent works on and its reminders. */
export async function credentialState(
  cli: Cli,
  server: ServerRef,
  token: string,
  seat: Seat | null,
  typed: Typed,
): Promise<CredentialState> {
  refuseInsecure(server.url);
  const client = quietApi(cli, server, token);
  try {
    const { current_task = null } = await client.call("getMe");
    const nudges =
      seat && !current_task && !inSubagent(cli.env)
        ? await reminders(cli, client, seat, typed)
        : [];
    return { client, access_error: null, current_task, nudges };
  } catch (error) {
    if (error instanceof ApiError)
      return isEnd(error)
        ? { ...unknownState, access_error: failureOf(withEndedHint(cli, error, server, token)) }
        : { ...unknownState, client };
    if (error instanceof Unreachable) return unknownState;
    throw error;
  }
}

/** Whether the credential does not work any more, or the agent's board was deleted. */
const isEnd = ({ status, code }: ApiError): boolean =>
  status === 401 || code === "agent_removed" || code === "board_not_found";

/** Reminders of tasks that nobody took. `status` shows them every time. */
async function reminders(cli: Cli, client: Client, seat: Seat, typed: Typed): Promise<Nudge[]> {
  const inbox = await client.call("getInbox", { query: { limit: 1 } }).catch(() => null);
  return inboxNudges(cli, { seat }, inbox?.work, typed, "always");
}
