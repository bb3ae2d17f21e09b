import type { Cli } from "../frame/cli.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { isLoopback, sameServer } from "../../client/machine/server-address.ts";
import { knownServers, localServer, type ServerRef } from "../../client/machine/servers.ts";

/** Whether this machine has a key for the server that a join line names. */
export const hasKey = (cli: Cli, url: string): boolean =>
  knownServers(cli).some((server) => sameServer(url, server.url));

/** The server that a join line names. Any name of this machine with the local server's port is the local server. */
export function serverOfLine(cli: Cli, url: string): ServerRef {
  const local = localServer(cli);
  if (sameServer(url, local.url)) return local;
  const known = knownServers(cli);
  const found = known.find((server) => sameServer(url, server.url));
  if (found) return found;
  throw new LocalError(
    "server_unknown",
    `The join line names ${url}, and this machine has no key for that server.`,
    isLoopback(url)
      ? `The local server here is ${local.url}. Run this with the SERVICE_HOME of the server that made the line.`
      : `Sign in there first: \`service login ${url}\` or \`service connect LINK\`.`,
    { choices: known.map((server) => server.url) },
  );
}
