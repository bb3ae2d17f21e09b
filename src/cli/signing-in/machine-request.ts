import { ApiError, type Client } from "../../client/client.ts";
import { apiOf } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { note } from "../frame/output.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { requireTexts } from "./require-texts.ts";
import { span } from "../terminal/time-text.ts";
import { bold } from "../terminal/style.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { isPassing } from "../connection/waiting.ts";

/** How long to wait if this machine's clock is already past the end that the server names: that clock is wrong. */
const usualLifeMs = 5 * 60_000;

/** Asks a person, by their handle, for a key of this machine's own, shows the code that they approve, and waits for it. */
export async function requestKey(cli: Cli, server: ServerRef, handle: string, label: string) {
  const api = apiOf(cli, server);
  const request = await api.call("startMachineRequest", { body: { handle, label } });
  requireTexts(server, [request.code, request.secret, request.expires_at]);
  const expires = Date.parse(request.expires_at);
  const now = cli.clock.now();
  const lifeMs = expires > now ? expires - now : usualLifeMs;
  const end = cli.clock.elapsed() + lifeMs;
  const text = [
    `This machine, ${label}, asks for a key of its own as @${handle} at ${server.url}. Its code:`,
    "",
    `  ${bold(request.code)}`,
    "",
    `Where @${handle} is signed in: service approve ${request.code} --server ${server.url}`,
    `The code works for ${span(lifeMs)}. With a key at hand instead: service login ${server.url}`,
    "Waiting. Ctrl-C ends it.",
  ].join("\n");
  if (cli.json) note(cli, text);
  else await cli.print(text);

  endAtInterrupt(cli);
  const pause = Math.min(Math.max(Number(request.poll_interval_seconds) || 0, 1), 10) * 1000;
  const quiet = quietApi(cli, server);
  while (cli.clock.elapsed() < end) {
    await cli.clock.sleep(Math.min(pause, end - cli.clock.elapsed()));
    const collected = await collect(quiet, request.secret);
    if (collected === "over") break;
    if (!collected) continue;
    const { server_id, person, key } = collected;
    requireTexts(server, [server_id, person?.id, person?.handle, key?.name, key?.token]);
    return collected;
  }
  throw new LocalError(
    "machine_request_invalid",
    `This machine's request at ${server.url} is over, and it got no key.`,
    `Nobody approved it in time, or the key that did has ended since. Ask again: \`service connect ${server.url} --handle ${handle}\``,
  );
}

/** The key once the person has approved. Null while they have not decided, or while the server does not answer. */
async function collect(api: Client, secret: string) {
  const idempotencyKey = crypto.randomUUID();
  try {
    const answer = await api.call(
      "collectMachineRequest",
      { body: { secret } },
      { idempotencyKey },
    );
    return "key" in answer ? answer : null;
  } catch (error) {
    if (isPassing(error)) return null;
    if (error instanceof ApiError && error.code === "machine_request_invalid") return "over";
    throw error;
  }
}

/** Ctrl-C ends the wait: a key is made when it is collected, so none is left behind. */
function endAtInterrupt(cli: Cli): void {
  cli.system.onSignal("SIGINT", () => {
    note(cli, "Stopped: this machine got no key, and approving the code gives it none.");
    cli.system.exit(130);
  });
}
