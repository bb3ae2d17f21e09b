import { secretPrefixes } from "../../contract/credentials.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { isLoopback, sameServer } from "../../client/machine/server-address.ts";
import { knownServers, localServer, type ServerRef } from "../../client/machine/servers.ts";
import type { Cli } from "../frame/cli.ts";

interface JoinLine {
  readonly board: string;
  /** The server's address, in the form in which keys are saved. */
  readonly url: string;
  readonly role: string;
  readonly code: string;
}

const joinLineForm =
  /^\s*Join service board (\S+) on (\S+) as (\S+) with code ([0-9A-Za-z]{3}-[0-9A-Za-z]{3})\b/i;
const codeForm = /^[0-9a-z]{3}[-\s]?[0-9a-z]{3}$/i;

/** Reads a join line, which may have more text after it, or a bare code. Refuses anything else. */
export function parseJoin(text: string): JoinLine | { readonly code: string } {
  if (codeForm.test(text.trim())) return { code: text.trim().toUpperCase() };
  const [, board, server, role, shortCode] = joinLineForm.exec(text) ?? [];
  const url = server && urlOf(server);
  if (!board || !url || !role || !shortCode)
    throw new LocalError(
      "join_line_invalid",
      "This is neither a join line nor a code.",
      text.includes(`/join#${secretPrefixes.invitation}_`)
        ? "It is an invitation to a server: `service connect 'LINK'`."
        : "A line reads `Join service board NAME on SERVER as ROLE with code XXX-XXX`; put it in quotes. `service invite` makes one.",
    );
  return { board, url, role, code: shortCode.toUpperCase() };
}

/** `localhost` is this machine over http, port 7400 unless said; any other host is https. */
function urlOf(server: string): string | null {
  const url = URL.parse(`https://${server}`);
  if (!url || url.host !== server.toLowerCase().replace(/:443$/, "")) return null;
  return isLoopback(url.href) ? `http://127.0.0.1:${url.port || 7400}` : url.origin;
}

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
