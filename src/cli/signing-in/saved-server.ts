import type { Cli } from "../frame/cli.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { isCalled, knownServers, type ServerRef } from "../../client/machine/servers.ts";

/** The server of this machine that an address, or `local`, means. Refuses one that it has no key for. */
export function savedServer(cli: Cli, typed: string): ServerRef {
  const known = knownServers(cli);
  const server = known.find((one) => isCalled(one, typed));
  if (server) return server;
  throw new LocalError(
    "server_unknown",
    `This machine has no key for ${typed}.`,
    typed === "local"
      ? "`service up` starts this machine's own server."
      : "`service servers` lists the servers known here; `service login URL` adds one.",
    { choices: known.map(({ url }) => url) },
  );
}
