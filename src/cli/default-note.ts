import type { Cli } from "./cli.ts";
import { defaultServer, type ServerRef } from "./servers.ts";

/** After a server was added: which one commands go to, and how to go to the new one. */
export function defaultNote(cli: Cli, added: ServerRef, isDefault: boolean): string[] {
  const chosen = defaultServer(cli);
  if (isDefault || chosen?.name === added.name) return [];
  const now = chosen ? `Commands still go to ${chosen.url}` : "No server is the default";
  return [
    `${now}. For this one: --server ${added.url}, or ${cli.typed(`servers use ${added.url}`)}`,
  ];
}
