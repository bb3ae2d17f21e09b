import { ApiError, Unreachable, type Client } from "../../client/client.ts";
import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";
import { toldEnded } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import { inSubagent } from "../../client/machine/harness.ts";
import type { Nudge } from "../../client/machine/shown-nudges.ts";
import { failureOf, type Failure } from "../frame/output.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Typed } from "../messages/delivery-text.ts";
import type { Seat } from "../../client/machine/seats.ts";
import { refuseInsecure } from "../../client/machine/server-address.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { inboxNudges } from "../tasks/work-nudges.ts";

/** What a server tells a credential of whoever has it. */
export interface Own {
  /** Null where the credential works no more, or there is none. */
  readonly client: Client | null;
  /** What the server answers to a credential that works no more. */
  readonly access_error: Failure | null;
  /** What an agent works on. */
  readonly current_task: Output<Operations["getMe"]>["current_task"];
  readonly nudges: readonly Nudge[];
}

/** What is known without a credential or a server. */
export const noOwn: Own = { client: null, access_error: null, current_task: null, nudges: [] };

/** Asks a server whether a credential works, and what an agent's token is told of its tasks. */
export async function ownState(
  cli: Cli,
  server: ServerRef,
  token: string,
  seat: Seat | null,
  typed: Typed,
): Promise<Own> {
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
        ? { ...noOwn, access_error: failureOf(toldEnded(error, server, token)) }
        : { ...noOwn, client };
    if (error instanceof Unreachable) return noOwn;
    throw error;
  }
}

/** Whether a credential works no more, or the board of an agent is there no more. */
const isEnd = ({ status, code }: ApiError): boolean =>
  status === 401 || code === "agent_removed" || code === "board_not_found";

/** Of tasks that nobody took. Whoever asks how things are is told each time. */
async function reminders(cli: Cli, client: Client, seat: Seat, typed: Typed): Promise<Nudge[]> {
  const inbox = await client.call("getInbox", { query: { limit: 1 } }).catch(() => null);
  return inboxNudges(cli, { seat }, inbox?.work, typed, "always");
}
