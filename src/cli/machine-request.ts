import { apiOf } from "./api.ts";
import type { Cli } from "./cli.ts";
import { CliError } from "./errors.ts";
import { when } from "./render/time.ts";
import { bold } from "./style.ts";
import { saveKey, type ServerRef } from "./servers.ts";

/** Asks a person, by their handle, for a key of this machine's own, shows the code that they approve, and waits for it. */
export async function requestKey(cli: Cli, server: ServerRef, handle: string, label: string) {
  const api = apiOf(cli, server);
  const request = await api.call("startMachineRequest", { body: { handle, label } });
  cli.note(
    [
      `This machine, ${label}, asks to act as @${handle} at ${server.url}. Its code:`,
      bold(request.code),
      `On a machine where @${handle} is signed in: service approve ${request.code} --server ${server.url}`,
      `It ends ${when(request.expires_at)}. With a key at hand instead: service login ${server.url}`,
      "Waiting …",
    ].join("\n"),
  );
  const pause = Math.min(Math.max(request.poll_interval_seconds, 1), 10) * 1000;
  for (;;) {
    await Bun.sleep(Math.max(Math.min(pause, Date.parse(request.expires_at) - Date.now()), 0));
    const answer = await api.call("collectMachineRequest", { body: { secret: request.secret } });
    if ("key" in answer) return saved(cli, server, answer);
    if (Date.now() >= Date.parse(request.expires_at)) throw unanswered(server);
  }
}

interface Collected {
  readonly server_id: string;
  readonly person: { readonly id: string; readonly handle: string; readonly server_role: string };
  readonly key: { readonly id: string; readonly name: string; readonly token: string };
}

/** Keeps a key that a server gave to this machine, and says what it is without its secret. */
export function saved<C extends Collected>(cli: Cli, server: ServerRef, collected: C) {
  const { server_id, person, key } = collected;
  const { token, ...current } = key;
  const isDefault = saveKey(cli, server, { server_id, person, key: token });
  return { server_id, person, key: current, isDefault };
}

const unanswered = (server: ServerRef) =>
  new CliError(
    "machine_request_invalid",
    `Nobody approved this machine's request at ${server.url} in time.`,
    "Ask again with the same command; approving takes `service approve CODE` on a machine that is signed in.",
  );
